package dev.arenal.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that goes with all that is in it when it is closed, or when this JVM ends. */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Thread hook = new Thread(this::delete);

  private TemporaryFolder(Path path) throws IOException {
    this.path = path;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) { // it is too late for a hook
      delete();
      throw new IOException(Program.BEING_STOPPED, e);
    }
  }

  /** A new one where temporary files belong. */
  public static TemporaryFolder create(String prefix) throws IOException {
    Path path;
    try {
      path = Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw refusal(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
    return new TemporaryFolder(path);
  }

  /** A new one in another folder. */
  public static TemporaryFolder in(Path parent, String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
  }

  /** A file in it, whether it is there or not; an empty name is the folder itself. */
  public Path file(String name) {
    return path.resolve(name);
  }

  /** Writes a file of that name. */
  public Path write(String name, Writing writing) throws IOException {
    return write(file(name), writing);
  }

  /** Writes a temporary file, with an error that says what to do about it. */
  static Path write(Path file, Writing writing) throws IOException {
    try {
      writing.write(file);
      return file;
    } catch (IOException e) {
      throw refusal(file, e);
    }
  }

  private static IOException refusal(Path file, IOException e) {
    return new IOException(
        ("cannot write a temporary file: file=%s, reason=%s (expected room for 8 bytes per"
                + " operation of the trace; free some, or choose another folder with"
                + " ARENAL_JAVA_OPTS=-Djava.io.tmpdir=DIR)")
            .formatted(file, Causes.of(e)),
        e);
  }

  private void delete() {
    try (Stream<Path> all = Files.walk(path)) {
      // The deepest first.
      List<Path> files = all.sorted(Comparator.reverseOrder()).toList();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Its name is one that no program looks for.
      System.getLogger(TemporaryFolder.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot clean up: folder=" + path, e);
    }
  }

  @Override
  public void close() {
    delete();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook does its work.
      return;
    }
  }

  /** Something that writes a file. */
  @FunctionalInterface
  public interface Writing {
    /** Writes it. */
    void write(Path file) throws IOException;
  }
}
