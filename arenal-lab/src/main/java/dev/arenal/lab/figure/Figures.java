package dev.arenal.lab.figure;

import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Figures as people read them; one that does not exist is a dash. */
public final class Figures {
  /** Stands for a figure that does not exist. */
  public static final String NONE = "-";

  private static final double BYTES_PER_MIB = 1024 * 1024;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double PERCENT = 100;
  private static final int MOST_DIGITS = 12;

  private Figures() {}

  /** Bytes in MiB, to a tenth. */
  public static String mebibytes(@Nullable Long bytes) {
    return bytes == null ? NONE : format("%,.1f", bytes / BYTES_PER_MIB);
  }

  /** Bytes in whole MiB. */
  public static String wholeMebibytes(@Nullable Long bytes) {
    return bytes == null ? NONE : format("%,.0f", bytes / BYTES_PER_MIB);
  }

  /** 4 KiB rather than 4096. */
  public static String size(long bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }

  /** Bytes as the figure of a curve, which has a gap where there are none. */
  public static double orGap(@Nullable Long bytes) {
    return bytes == null ? Double.NaN : (double) bytes;
  }

  /** Nanoseconds in whole milliseconds. */
  public static String millis(@Nullable Long nanos) {
    return nanos == null ? NONE : format("%,.0f", nanos / NANOS_PER_MILLI);
  }

  /** Nanoseconds, to a tenth. */
  public static String nanos(@Nullable Double nanos) {
    return nanos == null ? NONE : format("%.1f", nanos);
  }

  /** Three digits that mean something, of whatever. */
  public static String number(@Nullable Double value) {
    if (value == null || Double.isNaN(value)) {
      return NONE;
    }
    double size = Math.abs(value);
    return format(size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%,.0f", value);
  }

  /**
   * How many digits behind the point a figure takes that is held against something: no fewer than
   * usual, and as many as it takes until what is read is judged as the figure is. A figure just
   * above its limit would otherwise read like the limit, and be called too high.
   */
  public static int digits(double value, int usual, DoublePredicate holds) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return usual;
    }
    int digits = usual;
    while (digits < MOST_DIGITS
        && holds.test(Double.parseDouble(format("%." + digits + "f", value)))
            != holds.test(value)) {
      digits++;
    }
    return digits;
  }

  /** A figure that is held against something, with {@link #digits}. */
  public static String judged(double value, int usual, DoublePredicate holds) {
    String shown = format("%." + digits(value, usual, holds) + "f", value);
    return Double.parseDouble(shown) == 0 ? shown.replace("-", "") : shown;
  }

  /**
   * A share that may be so large and no larger, in percent with a digit behind the point or more.
   */
  public static String judgedShare(double share, double most) {
    return judged(share * PERCENT, 1, percent -> percent / PERCENT <= most) + " %";
  }

  /** A share that may be no less than so much, in whole percent where they say it. */
  public static String judgedWholeShare(double share, double least) {
    return judged(share * PERCENT, 0, percent -> percent / PERCENT >= least) + " %";
  }

  /** The same of something that may be less than nothing, with its sign. */
  public static String judgedChange(double share, double most) {
    String shown = judgedShare(share, most);
    return shown.startsWith("-") ? shown : "+" + shown;
  }

  /** A share of something, with a digit behind the point. */
  public static String tenths(double part) {
    return format("%.1f %%", part * PERCENT);
  }

  /** One thread, 16 threads. */
  public static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }

  /** One figure over another, to a hundredth. */
  public static String ratio(@Nullable Double ratio) {
    return ratio == null ? NONE : format("%.2f", ratio);
  }

  /** A part of a whole, in percent. */
  public static String percent(@Nullable Double part) {
    return part == null ? NONE : Math.round(part * PERCENT) + " %";
  }

  /** How many times: two digits behind the point while they say something. */
  public static String multiple(@Nullable Double multiple) {
    return multiple == null ? NONE : format(multiple < 10 ? "%.2f" : "%.0f", multiple);
  }

  /** From the least of them to the most; one text where both read the same. */
  public static String range(Collection<Double> figures, Function<Double, String> text) {
    String low = text.apply(Collections.min(figures));
    String high = text.apply(Collections.max(figures));
    return low.equals(high) ? low : low + " to " + high;
  }

  /** A whole number. */
  public static String count(long count) {
    return format("%,d", count);
  }

  /** Values by a pattern of {@link java.util.Formatter}, the same in every country. */
  @SuppressWarnings("AnnotateFormatMethod") // no library for one annotation
  public static String format(String pattern, @Nullable Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
