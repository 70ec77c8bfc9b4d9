package dev.arenal.lab.heap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files between an experiment and its children, with errors that say which one and what to do.
 */
public final class TemporaryFiles {
  private TemporaryFiles() {}

  /** A new file in the folder for temporary files. */
  public static Path create(String ending) throws IOException {
    try {
      Path file = Files.createTempFile("arenal-lab", ending);
      // Should somebody end us in the middle of a replay.
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw refusal(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }

  /** Writes such a file. */
  public static void write(Path file, Writing writing) throws IOException {
    try {
      writing.write();
    } catch (IOException e) {
      throw refusal(file, e);
    }
  }

  private static IOException refusal(Path file, IOException e) {
    return new IOException(
        ("cannot write a temporary file: file=%s, reason=%s (expected room for 8 bytes per"
                + " operation of the trace; free some, or choose another folder with"
                + " ARENAL_JAVA_OPTS=-Djava.io.tmpdir=DIR)")
            .formatted(file, e.getMessage()),
        e);
  }

  /** Something that writes a file. */
  @FunctionalInterface
  public interface Writing {
    /** Writes it. */
    void write() throws IOException;
  }
}
