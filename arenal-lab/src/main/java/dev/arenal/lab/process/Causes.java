package dev.arenal.lab.process;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/** The cause of an exception about a file, in words: its message is often just the path. */
public final class Causes {
  private Causes() {}

  /** The words for an exception. */
  public static String of(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    return switch (failure) {
      case NoSuchFileException _ -> "no such directory";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "a file of that name is in the way";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      case UncheckedIOException _ when cause != null -> of(cause);
      default -> {
        @Nullable String message = failure.getMessage();
        yield message == null ? failure.getClass().getSimpleName() : message;
      }
    };
  }
}
