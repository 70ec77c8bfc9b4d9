package dev.arenal.lab.jvm;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of {@code jcmd VM.metaspace}, before JEP 387 and since, understood as far as the table
 * of waste needs it.
 *
 * <p>Every section has lines for the non-class space, the class space and both; a JVM without a
 * class space prints one line without a name of a space.
 */
record MetaspaceReport(String text) {
  private static final Pattern SIZE =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(bytes|B|KB|MB|GB|K|M|G)\\b");

  private static final Pattern FREE_COMMITTED =
      Pattern.compile("^Total word size: *(.+?), committed: *(.+?) *\\(");

  /**
   * Reads the figures.
   *
   * @param full the full report, in bytes if they are to be exact
   * @param basic the basic report, which adds up the free chunks by themselves; may be empty
   */
  static Optional<Valley> valley(String full, String basic) {
    return new MetaspaceReport(full).valley(new MetaspaceReport(basic));
  }

  private Optional<Valley> valley(MetaspaceReport basic) {
    String usage = bothLine("Total Usage");
    OptionalLong used = figureBefore(usage, "used");
    OptionalLong committed = figureBefore(bothLine("Virtual space:"), "committed");
    OptionalLong freeInChunks = figureAfter(line("Free in chunks in use:"));
    OptionalLong waste = figureAfter(line("Waste in chunks in use:"));
    OptionalLong freeChunks = figureAfter(line("In free chunks:"));
    if (used.isEmpty()
        || committed.isEmpty()
        || freeInChunks.isEmpty()
        || waste.isEmpty()
        || freeChunks.isEmpty()) {
      return Optional.empty();
    }
    boolean isCountedTwice = isCountedTwice(basic);
    long freeBytes = freeChunks.getAsLong();
    if (isCountedTwice) {
      freeBytes -= freeNonClass(2).orElse(0) / 2;
    }
    return Optional.of(
        new Valley(
            used.getAsLong(),
            committed.getAsLong(),
            freeBytes,
            freeInChunks.getAsLong(),
            waste.getAsLong(),
            isCountedTwice));
  }

  /**
   * Whether the free chunks of the non-class space are in the sum twice. The basic report adds them
   * up once, so it is asked, and not the version of the JVM.
   */
  private boolean isCountedTwice(MetaspaceReport basic) {
    OptionalLong once = figureAfter(basic.lineIn("Chunk freelists:", "Non-Class:"));
    OptionalLong here = freeNonClass(1);
    return once.isPresent()
        && here.isPresent()
        && once.getAsLong() > 0
        // The report in larger units is rounded; twice is far from once all the same.
        && Math.abs(here.getAsLong() - 2 * once.getAsLong()) * 100 <= 2 * once.getAsLong();
  }

  /** A figure of the line under the free chunks of the non-class space, which come first. */
  private OptionalLong freeNonClass(int group) {
    for (String line : section("Chunk freelists:").lines().toList()) {
      Matcher matcher = FREE_COMMITTED.matcher(line.strip());
      if (matcher.find()) {
        return figureAfter(matcher.group(group));
      }
    }
    return OptionalLong.empty();
  }

  /** The line of both spaces; of the only one where there is only one. */
  private String bothLine(String heading) {
    String both = lineIn(heading, "Both:");
    if (!both.isEmpty()) {
      return both;
    }
    return section(heading).lines().skip(1).filter(line -> !line.isBlank()).findFirst().orElse("");
  }

  /** The text after the name in the first line that begins with that name. */
  private String line(String name) {
    return text.lines()
        .map(String::strip)
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElse("");
  }

  private String lineIn(String heading, String name) {
    return new MetaspaceReport(section(heading)).line(name);
  }

  /** The text from a heading on. */
  private String section(String heading) {
    int start = text.startsWith(heading) ? 0 : text.indexOf("\n" + heading);
    return start < 0 ? "" : text.substring(start).strip();
  }

  /** The size in front of a word: {@code 2.84 MB ( 71%) committed}. */
  private static OptionalLong figureBefore(String line, String word) {
    int end = line.indexOf(word);
    if (end < 0) {
      return OptionalLong.empty();
    }
    Matcher matcher = SIZE.matcher(line.substring(0, end));
    OptionalLong last = OptionalLong.empty();
    while (matcher.find()) {
      last = OptionalLong.of(bytes(matcher));
    }
    return last;
  }

  private static OptionalLong figureAfter(String text) {
    Matcher matcher = SIZE.matcher(text);
    return matcher.find() ? OptionalLong.of(bytes(matcher)) : OptionalLong.empty();
  }

  private static long bytes(Matcher size) {
    double unit =
        switch (size.group(2).charAt(0)) {
          case 'K' -> 1L << 10;
          case 'M' -> 1L << 20;
          case 'G' -> 1L << 30;
          default -> 1;
        };
    return Math.round(Double.parseDouble(size.group(1)) * unit);
  }
}
