package dev.arenal.lab.record;

import dev.arenal.lab.process.Causes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The file that is to become the trace.
 *
 * <p>It is written under another name beside its place and moved there when it is whole: a reader
 * that finds a trace finds all of it, and one recorded earlier is lost only to a better one. A
 * device or a pipe is written directly.
 */
final class TraceFile {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path target;
  private final Path written;
  private final OutputStream out;
  private boolean isInPlace;

  private TraceFile(Path target, Path written, OutputStream out) {
    this.target = target;
    this.written = written;
    this.out = out;
  }

  static TraceFile create(Path file) throws RecordException {
    if (Files.isDirectory(file)) {
      throw new RecordException(
          "cannot write the trace: file=" + file + ", cause=it is a directory");
    }
    try {
      // A link to a pipe without a name, such as /dev/stdout, has no real path.
      boolean isDevice = Files.exists(file) && !Files.isRegularFile(file);
      Path target = !isDevice && Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path written =
          isDevice
              ? target
              : target.resolveSibling(
                  target.getFileName() + "." + ProcessHandle.current().pid() + ".partial");
      return new TraceFile(
          target, written, new BufferedOutputStream(Files.newOutputStream(written), BUFFER_BYTES));
    } catch (IOException e) {
      throw new RecordException(
          "cannot write the trace: file=" + file + ", cause=" + Causes.of(e), e);
    }
  }

  OutputStream out() {
    return out;
  }

  /** Puts the whole trace, already closed, in its place. */
  void moveToTarget() throws IOException {
    if (!written.equals(target)) {
      Files.move(written, target, StandardCopyOption.REPLACE_EXISTING);
    }
    isInPlace = true;
  }

  /** Removes what was written, unless it is whole and in its place. */
  void discardUnlessMoved() {
    try (out) {
      if (!isInPlace && !written.equals(target)) {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      // A full disk fails once more at closing. A file that cannot be removed carries its own name
      // and is refused as truncated; nothing better can be done.
      System.getLogger(TraceFile.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot clean up: file=" + written, e);
    }
  }

  long sizeBytes() throws IOException {
    return Files.size(target);
  }
}
