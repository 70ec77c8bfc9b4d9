package dev.arenal.lab.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Files that are there whole or not at all: written beside their place and moved into it, so that a
 * full disk leaves neither a half file nor takes an old one away.
 */
public final class WholeFile {
  private static final String UNFINISHED = ".part";

  /** Of this process alone: another one may be writing the same files. */
  private static final String PART = "." + ProcessHandle.current().pid() + UNFINISHED;

  private WholeFile() {}

  /** Writes one file. */
  public static void write(Path file, String text) throws IOException {
    writeAll(Map.of(file, text));
  }

  /** Writes several files; none is replaced before all of them have been written. */
  static void writeAll(Map<Path, String> texts) throws IOException {
    Map<Path, Path> parts = new LinkedHashMap<>();
    Path current = Path.of("");
    try {
      for (Map.Entry<Path, String> entry : texts.entrySet()) {
        current = entry.getKey();
        if (isDevice(current)) {
          Files.write(current, bytes(entry.getValue()));
          continue;
        }
        // Through a link, so that it stays one.
        Path target = Files.exists(current) ? current.toRealPath() : current;
        Path part = target.resolveSibling(target.getFileName() + PART);
        parts.put(target, part);
        Files.write(part, bytes(entry.getValue()));
      }
      for (Map.Entry<Path, Path> entry : parts.entrySet()) {
        current = entry.getKey();
        var _ = Files.move(entry.getValue(), current, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw refusal(current, e);
    } finally {
      for (Path part : parts.values()) {
        discard(part);
      }
    }
  }

  /** A name in a class file may have half a character, which becomes a question mark. */
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Something like /dev/stdout, which is written to and must not be replaced by a file. */
  private static boolean isDevice(Path file) {
    return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
  }

  /** Refuses a file that nothing could be written to. */
  public static void check(Path file) throws IOException {
    if (isDevice(file)) {
      return;
    }
    if (Files.isDirectory(file)) {
      throw refusal(file, new IOException("a folder and not a file"));
    }
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
    try {
      Files.delete(Files.createTempFile(folder, ".arenal", UNFINISHED));
    } catch (IOException e) {
      throw refusal(file, e);
    }
  }

  /**
   * Makes the folder if it is missing, and refuses one that nothing can be written to; to be called
   * before hours of measuring, not after.
   */
  public static void checkFolder(Path folder) throws IOException {
    try {
      var _ = Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".arenal", UNFINISHED));
    } catch (IOException e) {
      throw refusal(folder, e);
    }
  }

  private static void discard(Path part) {
    try {
      var _ = Files.deleteIfExists(part);
    } catch (IOException e) {
      // The error that brought us here says more than this one would.
    }
  }

  private static IOException refusal(Path file, IOException e) {
    return new IOException(
        ("cannot write: file=%s, reason=%s (expected a folder that can be written to and room for"
                + " a few MiB; free some or choose another place)")
            .formatted(file, reason(e)),
        e);
  }

  /** The kernel's words where there are some; Java's own exceptions have only a name. */
  private static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such folder";
      case FileAlreadyExistsException _ -> "a file and not a folder";
      default -> Objects.requireNonNullElse(e.getMessage(), e.toString());
    };
  }
}
