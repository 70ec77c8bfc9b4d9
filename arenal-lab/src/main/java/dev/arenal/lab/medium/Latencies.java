package dev.arenal.lab.medium;

import com.fasterxml.jackson.databind.util.StdConverter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, all of one shape, and as JSON. */
public final class Latencies {
  /** Two digits: figures within 1 %. */
  private static final int DIGIT_COUNT = 2;

  private static final long MOST_NANOS = 3_600_000_000_000L;

  private Latencies() {}

  /** One without any time yet. */
  public static Histogram empty() {
    return new Histogram(MOST_NANOS, DIGIT_COUNT);
  }

  /** Takes one time; one that is out of all bounds counts as the longest there is. */
  public static void add(Histogram histogram, long nanos) {
    histogram.recordValue(Math.clamp(nanos, 0, MOST_NANOS));
  }

  /**
   * A histogram as JSON: what people want to know of it, and all of it in few letters.
   *
   * @param histogram compressed, in base 64
   */
  record Figures(long p50, long p99, long p999, long max, String histogram) {}

  /** Makes figures of a histogram. */
  static final class Writer extends StdConverter<Histogram, Figures> {
    @Override
    public Figures convert(Histogram histogram) {
      ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      int encodedBytes = histogram.encodeIntoCompressedByteBuffer(buffer);
      return new Figures(
          histogram.getValueAtPercentile(50),
          histogram.getValueAtPercentile(99),
          histogram.getValueAtPercentile(99.9),
          histogram.getMaxValue(),
          Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), encodedBytes)));
    }
  }

  /** Makes a histogram of its figures. */
  static final class Reader extends StdConverter<Figures, Histogram> {
    @Override
    public Histogram convert(Figures figures) {
      try {
        byte[] bytes = Base64.getDecoder().decode(figures.histogram());
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), MOST_NANOS);
      } catch (DataFormatException e) {
        throw new IllegalArgumentException("not a histogram: " + figures.histogram(), e);
      }
    }
  }
}
