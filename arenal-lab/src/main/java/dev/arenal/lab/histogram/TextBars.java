package dev.arenal.lab.histogram;

import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.lab.figure.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Both charts for a terminal: closed arenas and their bytes, by powers of two of the size. */
public final class TextBars {
  private static final int WIDTH = 40;
  private static final String[] EIGHTHS = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private TextBars() {}

  /** The lines of both charts, each with its heading. */
  public static List<String> lines(HistogramData data) {
    List<String> lines = new ArrayList<>();
    add(lines, "Arenas by size", data.buckets(), Bucket::arenas);
    lines.add("");
    add(lines, "Bytes by size of their arena", data.buckets(), Bucket::bytes);
    return lines;
  }

  private static void add(
      List<String> lines, String heading, List<Bucket> buckets, ToLongFunction<Bucket> figure) {
    lines.add(heading);
    long largest = Math.max(1, buckets.stream().mapToLong(figure).max().orElse(1));
    long all = buckets.stream().mapToLong(figure).reduce(0, TextBars::sum);
    for (Bucket bucket : buckets) {
      long value = figure.applyAsLong(bucket);
      lines.add(
          Figures.format(
                  "  %15s  %-40s %,15d %7.3f%%",
                  label(bucket),
                  bar((double) value / largest),
                  value,
                  Recommendation.percent(value, all))
              .stripTrailing());
    }
  }

  private static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static String bar(double part) {
    int eighths = (int) Math.round(part * WIDTH * EIGHTHS.length);
    // A value above zero has a visible bar.
    int shown = part > 0 ? Math.max(1, eighths) : 0;
    return "█".repeat(shown / EIGHTHS.length) + EIGHTHS[shown % EIGHTHS.length];
  }

  /** A range of sizes as people write it. */
  public static String label(Bucket bucket) {
    long from = bucket.fromBytes();
    if (from == bucket.toBytes()) {
      return from + " B";
    }
    int unit = 0;
    while (from >= 1024) {
      from /= 1024;
      unit++;
    }
    return unit == 0
        ? "%d-%d B".formatted(from, bucket.toBytes())
        : "from %d %s".formatted(from, UNITS[unit]);
  }
}
