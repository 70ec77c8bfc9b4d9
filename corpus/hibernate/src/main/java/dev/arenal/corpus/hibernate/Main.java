package dev.arenal.corpus.hibernate;

import dev.arenal.corpus.common.Deployment;
import dev.arenal.corpus.common.Metaspace;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * The server of a service with Hibernate: loads the service, Hibernate and H2 with it, by a loader
 * of its own, as an application server does, and loads it anew after a night.
 */
public final class Main {
  private static final List<String> DAYS = List.of("first", "second");
  private static final String SERVICE = Main.class.getPackageName() + ".Service";

  private Main() {}

  public static void main(String[] args) throws Exception {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    Metaspace.say("start");
    for (String day : DAYS) {
      Metaspace.collect(serve(day));
      Metaspace.say(day + " night");
    }
    System.exit(0); // what Hibernate and H2 leave running would be daemons
  }

  /** A method of its own, lest a local of the caller's keeps the service. */
  private static WeakReference<ClassLoader> serve(String day) throws Exception {
    try (Deployment<Runnable> service = new Deployment<>("service", Runnable.class, SERVICE, day)) {
      service.run(Runnable::run);
      return service.loader();
    }
  }
}
