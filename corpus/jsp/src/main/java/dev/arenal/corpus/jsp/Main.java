package dev.arenal.corpus.jsp;

import dev.arenal.corpus.common.Deployment;
import dev.arenal.corpus.common.Folders;
import dev.arenal.corpus.common.Metaspace;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Tomcat with several webapps of JSP pages, which Jasper compiles when a visitor first asks for
 * them. Authors edit pages, new versions start while old ones still serve their sessions, and
 * webapps are stopped and started again. At night the server goes with the loader of its classes,
 * as one that a build tool embeds; the next day has another.
 */
public final class Main {
  private static final String DAY = Main.class.getPackageName() + ".Day";

  private Main() {}

  public static void main(String[] args) throws IOException {
    Logger.getLogger("").setLevel(Level.OFF);
    Metaspace.say("start");
    Path folder = Files.createTempDirectory("arenal-jsp");
    int status = 1;
    try {
      Metaspace.collect(serve(folder, 1));
      Metaspace.say("quiet");
      Metaspace.collect(serve(folder, 2));
      Metaspace.say("end");
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    } finally {
      Folders.delete(folder);
    }
    // Also after a failure, when threads of the server are still there.
    System.exit(status);
  }

  /** A server lives for a day. */
  private static WeakReference<ClassLoader> serve(Path folder, int day) throws Exception {
    try (Deployment<Runnable> server =
        new Deployment<>("server", Runnable.class, DAY, folder, day)) {
      server.run(Runnable::run);
      return server.loader();
    }
  }
}
