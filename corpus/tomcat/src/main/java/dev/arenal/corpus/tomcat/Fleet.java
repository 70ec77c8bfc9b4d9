package dev.arenal.corpus.tomcat;

import dev.arenal.corpus.common.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The applications that run: the newest release of each, and older ones that drain, that is, have
 * visitors still.
 */
final class Fleet {
  private static final int MOST_VISITORS = 6;

  private final Server server;
  private final Packager packager;
  private final Random random;
  private final Map<Kind, Integer> versions = new EnumMap<>(Kind.class);
  private final Map<Kind, Release> newest = new EnumMap<>(Kind.class);
  private final List<Release> draining = new ArrayList<>();

  Fleet(Server server, Packager packager, Random random) {
    this.server = server;
    this.packager = packager;
    this.random = random;
  }

  /** Deploys the next version of an application; the one before drains. */
  void deploy(Kind kind) throws IOException {
    int version = versions.merge(kind, 1, Integer::sum);
    Path root = packager.pack(kind, version);
    Release old = newest.put(kind, new Release(kind, server.deploy(kind, version, root), root));
    if (old != null) {
      draining.add(old);
    }
    visitAnew(newest.get(kind));
    removeDrained();
  }

  /** A visitor comes to an application, or one of those that are there asks again, or leaves. */
  void visit(Kind kind) throws IOException {
    Release release = newest.get(kind);
    if (release != null && release.visitors().size() < MOST_VISITORS) {
      visitAnew(release);
    }
    for (Release each : running()) {
      if (!each.visitors().isEmpty() && random.nextInt(3) == 0) {
        each.visitors().get(random.nextInt(each.visitors().size())).visit(random.nextInt(1 << 20));
      }
      if (!each.visitors().isEmpty() && random.nextInt(12) == 0) {
        each.visitors().removeFirst().leave();
      }
    }
    removeDrained();
  }

  /** Stops an application, the versions that drain too. */
  void stop(Kind kind) throws IOException {
    for (Release release : running()) {
      if (release.kind() == kind) {
        for (Visitor visitor : release.visitors()) {
          visitor.leave();
        }
        release.visitors().clear();
      }
    }
    Release last = newest.remove(kind);
    if (last != null) {
      draining.add(last);
    }
    removeDrained();
  }

  private List<Release> running() {
    List<Release> all = new ArrayList<>(draining);
    all.addAll(newest.values());
    return all;
  }

  private void visitAnew(Release release) throws IOException {
    Visitor visitor = new Visitor(server.port(), release.kind());
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      visitor.visit(random.nextInt(1 << 20));
    }
    release.visitors().add(visitor);
  }

  private void removeDrained() throws IOException {
    for (Iterator<Release> i = draining.iterator(); i.hasNext(); ) {
      Release release = i.next();
      if (release.visitors().isEmpty()) {
        server.undeploy(release.context());
        Folders.delete(release.root());
        i.remove();
      }
    }
  }
}
