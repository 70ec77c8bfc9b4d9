package dev.arenal.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The trace between its recording and its replay: a file to keep, or one that goes when it has been
 * replayed.
 *
 * @param file where the trace is
 * @param folder the temporary folder around it; null if the trace is kept
 */
record TraceToReplay(Path file, @Nullable Path folder) implements AutoCloseable {

  /** One to keep, or one that has this name in the results and is gone at the end. */
  static TraceToReplay of(@Nullable Path keep, String name) throws IOException {
    if (keep != null) {
      return new TraceToReplay(keep, null);
    }
    try {
      Path folder = Files.createTempDirectory("arenal-try");
      Path file = folder.resolve(name + ".trace");
      // Should somebody end us while we replay; the folder goes last.
      folder.toFile().deleteOnExit();
      file.toFile().deleteOnExit();
      return new TraceToReplay(file, folder);
    } catch (IOException e) {
      throw new IOException(
          ("no place for the trace: folder=%s, cause=%s (expected a folder for temporary files"
                  + " with room; or name a file with --keep)")
              .formatted(System.getProperty("java.io.tmpdir"), e),
          e);
    }
  }

  @Override
  public void close() throws IOException {
    if (folder != null) {
      var _ = Files.deleteIfExists(file);
      var _ = Files.deleteIfExists(folder);
    }
  }
}
