package dev.arenal.corpus.jsp;

import dev.arenal.corpus.common.Metaspace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Tomcat with several webapps of JSP pages, which Jasper compiles when a visitor first asks for
 * them. Authors edit pages, new versions start while old ones still serve their sessions, and at
 * night most webapps are stopped; in the morning they start again with what was compiled before.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    Metaspace.say("start");
    Path folder = Files.createTempDirectory("arenal-jsp");
    int status = 1;
    try {
      run(folder);
      status = 0;
    } catch (Exception e) {
      e.printStackTrace();
    } finally {
      delete(folder);
    }
    // Also after a failure, when threads of the server are still there.
    System.exit(status);
  }

  private static void run(Path folder) throws Exception {
    Server server = new Server(folder.resolve("server"));
    Town town = new Town(server, folder.resolve("sites"), libraries());
    Metaspace.say("server");
    town.day();
    Metaspace.say("first peak");
    town.evening();
    Metaspace.collect();
    Metaspace.say("quiet");
    town.morning();
    town.day();
    Metaspace.say("second peak");
    town.close();
    server.stop();
    Metaspace.collect();
    Metaspace.say("end");
    System.err.printf("answers %08x%n", town.checksum());
  }

  /** The tag library's files, found where the program itself has them. */
  private static List<Path> libraries() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.getFileName().toString().startsWith("jakarta.servlet.jsp.jstl"))
        .sorted()
        .toList();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
