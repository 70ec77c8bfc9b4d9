package dev.arenal.corpus.jsp;

import dev.arenal.corpus.common.Zipf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;

/** The webapps of a server, their authors and their visitors. */
final class Town {
  private static final int FIRST_SITES = 3;
  private static final int SITES = 8;
  private static final int SITES_AT_NOON = 1;
  private static final int VISITORS = 30;
  private static final int REQUESTS = 180;
  private static final int REQUESTS_PER_ARRIVAL = 40;
  private static final int REQUESTS_PER_EDIT = 20;
  private static final int REQUESTS_PER_VERSION = 110;
  private static final int REQUESTS_OF_DRAINING = 50;

  /** A webapp that runs. */
  private record Running(Site site, Context context) {}

  /** An old version that serves its sessions until a number of requests. */
  private record Draining(Context context, int until) {}

  private final Server server;
  private final Path folder;
  private final List<Path> libraries;
  private final Random random;
  private final Zipf zipf = new Zipf(256, 0.6);
  private final List<Running> sites = new ArrayList<>();
  private final Deque<Draining> old = new ArrayDeque<>();
  private final List<Map<String, String>> visitors = new ArrayList<>();
  private final CRC32 answers = new CRC32();
  private int arrivals;
  private int requests;

  Town(Server server, Path folder, List<Path> libraries, int day) {
    random = new Random(20260102 + day);
    arrivals = SITES * (day - 1);
    this.server = server;
    this.folder = folder;
    this.libraries = libraries;
    for (int i = 0; i < VISITORS; i++) {
      visitors.add(new HashMap<>());
    }
  }

  /** Half a day of requests: webapps arrive, pages are edited, versions replace each other. */
  void visits() throws IOException, LifecycleException {
    while (sites.size() < FIRST_SITES) {
      arrive();
    }
    for (int i = 0; i < REQUESTS; i++) {
      requests++;
      if (requests % REQUESTS_PER_ARRIVAL == 0 && sites.size() < SITES) {
        arrive();
      }
      if (requests % REQUESTS_PER_VERSION == 0) {
        release();
      }
      while (!old.isEmpty() && old.peek().until() <= requests) {
        server.undeploy(old.remove().context());
      }
      visit();
    }
  }

  private void arrive() throws IOException {
    Site site = Site.first(arrivals, folder, libraries);
    sites.add(new Running(site, server.deploy(site, mostPages(arrivals))));
    arrivals++;
  }

  /** Every third webapp is on a budget. */
  private static int mostPages(int site) {
    return site % 3 == 2 ? 30 : -1;
  }

  /** A webapp gets a new version; the one before stays a while. */
  private void release() throws IOException {
    int index = zipf.next(random, sites.size());
    Running before = sites.get(index);
    Site site = before.site().next(random, libraries);
    sites.set(index, new Running(site, server.deploy(site, mostPages(index))));
    old.add(new Draining(before.context(), requests + REQUESTS_OF_DRAINING));
  }

  private void visit() throws IOException {
    Map<String, String> cookies = visitors.get(random.nextInt(VISITORS));
    if (random.nextInt(25) == 0) {
      cookies.clear(); // goes, and another one comes
    }
    Site site = sites.get(zipf.next(random, sites.size())).site();
    int page = zipf.next(random, site.pages());
    if (requests % REQUESTS_PER_EDIT == 0) {
      site.edit(page);
    }
    String path = "%s/page%d.jsp?id=%d".formatted(site.path(), page, random.nextInt(90));
    Server.Answer answer = server.get(path, cookies.get(site.path()));
    if (answer.cookie() != null) {
      cookies.put(site.path(), answer.cookie());
    }
    answers.update(answer.text().getBytes(StandardCharsets.UTF_8));
  }

  /** Most webapps stop; they stay deployed. */
  void stop() throws LifecycleException {
    while (!old.isEmpty()) {
      server.undeploy(old.remove().context());
    }
    for (Running running : sites.subList(0, sites.size() - SITES_AT_NOON)) {
      running.context().stop();
    }
  }

  /** They start again, with the pages that were compiled before. */
  void start() throws LifecycleException {
    for (Running running : sites.subList(0, sites.size() - SITES_AT_NOON)) {
      running.context().start();
    }
  }

  /** All webapps go. */
  void close() throws LifecycleException {
    while (!old.isEmpty()) {
      server.undeploy(old.remove().context());
    }
    for (Running running : sites) {
      server.undeploy(running.context());
    }
    sites.clear();
    visitors.clear();
  }

  /** Of all answers. */
  long checksum() {
    return answers.getValue();
  }
}
