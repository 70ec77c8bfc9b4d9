package dev.arenal.lab.pretouch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a measuring process writes into its file: a line of {@code name=value} words, and behind it
 * perhaps text. The program in C writes the same.
 */
final class FigureLine {
  private final Path file;
  private final Map<String, String> values = new HashMap<>();
  private final String text;

  private FigureLine(Path file, List<String> lines) {
    this.file = file;
    if (!lines.isEmpty()) {
      for (String word : lines.getFirst().split(" ", -1)) {
        int equals = word.indexOf('=');
        if (equals > 0) {
          values.put(word.substring(0, equals), word.substring(equals + 1));
        }
      }
    }
    this.text = lines.size() < 2 ? "" : String.join("\n", lines.subList(1, lines.size()));
  }

  static FigureLine read(Path file) throws IOException {
    return new FigureLine(file, Files.readAllLines(file));
  }

  /** The figures of a run. */
  static PretouchSample readSample(Path file) throws IOException {
    FigureLine line = read(file);
    return new PretouchSample(
        line.decimal("seconds"),
        line.decimal("user"),
        line.decimal("system"),
        line.number("residentBytes"),
        line.number("hugeBytes"),
        line.values.containsKey("firstUse") ? (Double) line.decimal("firstUse") : null,
        null);
  }

  static void write(
      Path file,
      double seconds,
      double firstUseSeconds,
      ProcessFigures before,
      ProcessFigures after,
      String text)
      throws IOException {
    Files.writeString(
        file,
        String.format(
            Locale.ROOT,
            "seconds=%.6f firstUse=%.6f user=%.6f system=%.6f residentBytes=%d hugeBytes=%d%n%s",
            seconds,
            firstUseSeconds,
            after.userSeconds() - before.userSeconds(),
            after.systemSeconds() - before.systemSeconds(),
            after.residentBytes(),
            after.hugeBytes(),
            text));
  }

  double decimal(String name) throws IOException {
    try {
      return Double.parseDouble(value(name));
    } catch (NumberFormatException e) {
      throw new IOException("not the result of a run: file=" + file, e);
    }
  }

  long number(String name) throws IOException {
    return (long) decimal(name);
  }

  /** What stands below the figures. */
  String text() {
    return text;
  }

  private String value(String name) throws IOException {
    String value = values.get(name);
    if (value == null) {
      throw new IOException("not the result of a run: file=%s, missing=%s".formatted(file, name));
    }
    return value;
  }
}
