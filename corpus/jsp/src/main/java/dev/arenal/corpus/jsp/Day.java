package dev.arenal.corpus.jsp;

import dev.arenal.corpus.common.ClassPath;
import dev.arenal.corpus.common.Metaspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.LifecycleException;

/** A day of a server: webapps arrive and are visited; most restart at noon; all go at its end. */
public final class Day implements Runnable {
  /** The libraries of the webapps: those of the tags. */
  private static final List<String> LIBRARIES =
      List.of("jakarta.servlet.jsp.jstl", "jakarta.servlet.jsp.jstl-api");

  private final Path folder;
  private final int number;

  public Day(Path folder, int number) {
    this.folder = folder.resolve("day" + number);
    this.number = number;
  }

  @Override
  public void run() {
    try {
      serve();
    } catch (IOException | LifecycleException e) {
      throw new IllegalStateException("not to the end: day=" + number, e);
    }
  }

  private void serve() throws IOException, LifecycleException {
    Server server = new Server(folder.resolve("server"));
    List<Path> libraries = ClassPath.find(LIBRARIES);
    Town town = new Town(server, folder.resolve("sites"), libraries, number);
    town.visits();
    town.stop();
    town.start();
    town.visits();
    Metaspace.say("peak of day " + number);
    town.close();
    server.stop();
    System.err.printf("answers %08x%n", town.checksum());
  }
}
