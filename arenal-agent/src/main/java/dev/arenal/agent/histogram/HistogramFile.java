package dev.arenal.agent.histogram;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/** Where the figures go: JSON, and beside it the table. Each file is there whole or not at all. */
public final class HistogramFile {
  private static final String TABLE_ENDING = ".txt";

  private final Path json;
  private final Path table;

  private HistogramFile(Path json) {
    this.json = json;
    this.table = json.resolveSibling(json.getFileName() + TABLE_ENDING);
  }

  /**
   * A file that can be written to.
   *
   * @param name its name; {@code %p} stands for the number of the process
   * @throws IOException if it cannot
   */
  public static HistogramFile named(String name) throws IOException {
    String pid = String.valueOf(ProcessHandle.current().pid());
    Path json = Path.of(name.replace("%p", pid)).toAbsolutePath();
    if (json.getFileName() == null || Files.isDirectory(json)) {
      throw new IOException("a folder and not a file");
    }
    HistogramFile file = new HistogramFile(json);
    Path probe;
    try {
      probe = unfinished(json);
    } catch (NoSuchFileException e) {
      throw new IOException("no such folder", e);
    } catch (AccessDeniedException e) {
      throw new IOException("permission denied", e);
    }
    Files.delete(probe);
    return file;
  }

  /** The name of the JSON file. */
  public Path json() {
    return json;
  }

  /** Replaces both files. */
  public synchronized void write(HistogramData data, RunFacts facts) throws IOException {
    replace(json, HistogramJson.text(data, facts, Instant.now()));
    replace(table, HistogramText.table(data));
  }

  private void replace(Path file, String text) throws IOException {
    Path part = unfinished(file);
    try {
      Files.writeString(part, text);
      var _ = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      var _ = Files.deleteIfExists(part);
    }
  }

  /**
   * A new file beside it. Not named by the number of the process: in containers that share a folder
   * all processes have the same one.
   */
  private static Path unfinished(Path file) throws IOException {
    String name = Objects.requireNonNull(file.getFileName()).toString();
    return Files.createFile(file.resolveSibling("." + name + "." + UUID.randomUUID() + ".part"));
  }
}
