package dev.arenal.elastic;

/**
 * Sizes and shares for people to read, each as wide as the next, as HotSpot's reports have them.
 */
final class ReportScale {
  private static final String[] UNITS = {"bytes", "KB", "MB", "GB"};

  private ReportScale() {}

  /** A size in the largest unit of which it has one, with two decimals: {@code 4.03 MB}. */
  static String human(long sizeBytes) {
    if (sizeBytes < 1024) {
      return sizeBytes + " bytes";
    }
    int unit = Math.min((63 - Long.numberOfLeadingZeros(sizeBytes)) / 10, UNITS.length - 1);
    long hundredths = hundredths(sizeBytes, 10 * unit);
    if (hundredths == 102_400 && unit + 1 < UNITS.length) {
      hundredths = 100; // 1024.00 KB is 1.00 MB
      unit++;
    }
    long rest = hundredths % 100;
    return hundredths / 100 + (rest < 10 ? ".0" : ".") + rest + " " + UNITS[unit];
  }

  /** The nearest number of hundredths, without overflow. */
  private static long hundredths(long sizeBytes, int shift) {
    long whole = sizeBytes >>> shift;
    long rest = sizeBytes & ((1L << shift) - 1);
    return whole * 100 + ((rest * 100 + (1L << (shift - 1))) >>> shift);
  }

  /**
   * A share in four columns: {@code 0%} and {@code 100%} are exact, what is nearly so says {@code
   * <1%} and {@code >99%}, and a share of nothing is {@code ?%}.
   */
  static String percent(long partBytes, long wholeBytes) {
    if (wholeBytes == 0) {
      return "  ?%";
    }
    if (partBytes == 0) {
      return "  0%";
    }
    if (partBytes == wholeBytes) {
      return "100%";
    }
    double percent = 100.0 * partBytes / wholeBytes;
    if (percent < 1) {
      return " <1%";
    }
    if (percent > 99 && percent < 100) {
      return ">99%";
    }
    return padLeft(Math.round(percent) + "%", 4);
  }

  static String padLeft(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  static String padRight(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** A name of the program's choice on one line, with any content. */
  static String printable(String name) {
    StringBuilder text = null;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean breaks = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
      if (breaks) {
        text = text == null ? new StringBuilder(name) : text;
        text.setCharAt(i, '?');
      }
    }
    return text == null ? name : text.toString();
  }
}
