package dev.arenal.lab.jvm;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, in words: the message of the exception is often just its path. */
final class Causes {
  private Causes() {}

  static String of(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "no such directory";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "a file of that name is in the way";
      case FileSystemException e when e.getReason() != null -> e.getReason();
      default -> {
        String message = failure.getMessage();
        yield message == null ? failure.getClass().getSimpleName() : message;
      }
    };
  }
}
