package dev.arenal.corpus.hibernate;

import dev.arenal.corpus.common.Metaspace;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private Main() {}

  public static void main(String[] args)
      throws IOException, ReflectiveOperationException, InterruptedException {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    Metaspace.say("start");
    for (String day : DAYS) {
      serve(day);
      Metaspace.collect();
      Metaspace.say(day + " night");
    }
    System.exit(0); // what Hibernate and H2 leave running would be daemons
  }

  private static void serve(String day)
      throws IOException, ReflectiveOperationException, InterruptedException {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader module =
        new URLClassLoader(
            "service", classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = module.loadClass(Main.class.getPackageName() + ".Service");
      Runnable service = (Runnable) type.getConstructor(String.class).newInstance(day);
      // A thread of its own takes along what the libraries leave in thread locals.
      Thread thread = new Thread(service, "service");
      thread.setContextClassLoader(module);
      thread.start();
      thread.join();
    }
  }
}
