package dev.arenal.corpus.tomcat;

import dev.arenal.corpus.common.Folders;
import dev.arenal.corpus.common.Metaspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.apache.catalina.LifecycleException;

/**
 * A Tomcat with seven web applications, as a department has one: each brings libraries of its own
 * in WEB-INF/lib, and each is released now and then while the version before still has sessions.
 */
public final class Main {
  private static final long SEED = 20260521;
  private static final int STEPS_A_DAY = 40;
  private static final int STEPS_TO_A_RELEASE = 12;

  /** The applications that run in the night, too. */
  private static final Set<Kind> ALWAYS = EnumSet.of(Kind.GATEWAY);

  private Main() {}

  public static void main(String[] args) throws IOException, LifecycleException {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    System.setProperty("org.freemarker.loggerLibrary", "none");
    Metaspace.say("start");
    Path folder = Files.createTempDirectory("corpus-tomcat");
    try (Server server = new Server(folder)) {
      Random random = new Random(SEED);
      Fleet fleet = new Fleet(server, new Packager(folder), random);
      day(fleet, random);
      Metaspace.say("first day");
      night(fleet, ALWAYS);
      Metaspace.say("night");
      day(fleet, random);
      Metaspace.say("second day");
      night(fleet, Set.of());
    } finally {
      Folders.delete(folder);
    }
    Metaspace.collect();
    Metaspace.say("end");
    System.exit(0); // a thread of the connector may be about to end still
  }

  /** Starts what does not run, and then visits and releases take turns. */
  private static void day(Fleet fleet, Random random) throws IOException {
    for (Kind kind : Kind.values()) {
      fleet.deploy(kind);
    }
    for (int i = 1; i <= STEPS_A_DAY; i++) {
      if (i % STEPS_TO_A_RELEASE == 0) {
        fleet.deploy(draw(random));
      }
      fleet.visit(draw(random));
    }
  }

  /** Stops all applications but a few. */
  private static void night(Fleet fleet, Set<Kind> kept) throws IOException {
    for (Kind kind : Kind.values()) {
      if (!kept.contains(kind)) {
        fleet.stop(kind);
      }
    }
    Metaspace.collect();
  }

  /** Draws an application: the first ones most often. */
  private static Kind draw(Random random) {
    int count = Kind.values().length;
    return Kind.values()[(int) (count * random.nextDouble() * random.nextDouble())];
  }
}
