package dev.arenal.lab.record;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * The file that is to become the trace.
 *
 * <p>It is written under another name beside its place and moved there when it is whole: whoever
 * finds a trace finds all of it, and one recorded earlier is lost only to a better one. A device or
 * a pipe is written directly.
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
      Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      boolean isDevice = Files.exists(target) && !Files.isRegularFile(target);
      Path written =
          isDevice
              ? target
              : target.resolveSibling(
                  target.getFileName() + "." + ProcessHandle.current().pid() + ".partial");
      return new TraceFile(
          target, written, new BufferedOutputStream(Files.newOutputStream(written), BUFFER_BYTES));
    } catch (IOException e) {
      throw new RecordException(
          "cannot write the trace: file=" + file + ", cause=" + reasonOf(e), e);
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

  /** The cause in words; the message of a file system exception is often just the path. */
  static String reasonOf(Throwable failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "no such directory";
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> messageOf(failure);
    };
  }

  private static String messageOf(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    if (failure instanceof UncheckedIOException && cause != null) {
      return reasonOf(cause);
    }
    @Nullable String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
