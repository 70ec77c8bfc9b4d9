package dev.arenal.corpus.builds;

import dev.arenal.corpus.common.Folders;
import dev.arenal.corpus.common.Metaspace;
import dev.arenal.corpus.common.Zipf;
import java.beans.Introspector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A build daemon that formats, checks, compiles and tries projects in one process. As in Gradle's,
 * the loaders of a project's tools are kept for its next build until others push them out; builds
 * of some projects, as Maven's, load their tools each time.
 */
public final class Main {
  private static final long SEED = 20_261_123;
  private static final int PROJECT_COUNT = 9;
  private static final int FIRST_BUILDS = 6;
  private static final int SECOND_BUILDS = 6;
  private static final int MOST_LOADERS = 4;
  private static final double SCRIPT_CHANGES = 0.12;

  private final Random random = new Random(SEED);
  private final Loaders loaders = new Loaders(MOST_LOADERS);
  private final List<Project> projects = new ArrayList<>();

  private Main(Path folder) {
    for (int i = 0; i < PROJECT_COUNT; i++) {
      projects.add(Project.draw(i, folder.resolve("project" + i), random));
    }
  }

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    Path folder = Files.createTempDirectory("builds");
    try {
      Main daemon = new Main(folder);
      Metaspace.say("start");
      daemon.builds(FIRST_BUILDS);
      Metaspace.say("first peak");
      daemon.idle();
      Metaspace.say("quiet");
      daemon.builds(SECOND_BUILDS);
      Metaspace.say("second peak");
      daemon.idle();
      Metaspace.say("end");
    } finally {
      Folders.delete(folder);
    }
  }

  private void builds(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      Project project = projects.get(Zipf.draw(random, projects.size()));
      if (random.nextDouble() < SCRIPT_CHANGES) {
        loaders.drop(project.number());
      }
      project.edit(random);
      run(new Build(project, loaders));
    }
  }

  /** A thread for each build, so that thread locals that tools set go with it. */
  private static void run(Build build) throws InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    Thread thread = new Thread(build, "build");
    thread.setUncaughtExceptionHandler((t, e) -> thrown.add(e));
    thread.start();
    thread.join();
    if (!thrown.isEmpty()) {
      throw new IllegalStateException("A build failed", thrown.getFirst());
    }
  }

  /** A daemon without work for a while gives its caches up. */
  private void idle() {
    loaders.dropAll();
    Introspector.flushCaches(); // Checkstyle's modules are configured as beans
    Metaspace.collect();
  }
}
