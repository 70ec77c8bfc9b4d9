package dev.arenal.lab.medium;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, all of one shape, and as text. */
final class Latencies {
  /** Two digits: figures within 1 %. */
  private static final int COUNT_DIGITS = 2;

  private static final long MOST_NANOS = 3_600_000_000_000L;

  private Latencies() {}

  static Histogram empty() {
    return new Histogram(MOST_NANOS, COUNT_DIGITS);
  }

  /** Takes one time; one that is out of all bounds counts as the longest there is. */
  static void add(Histogram histogram, long nanos) {
    histogram.recordValue(Math.clamp(nanos, 0, MOST_NANOS));
  }

  static String text(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int countBytes = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), countBytes));
  }

  static Histogram ofText(String text) throws DataFormatException {
    byte[] bytes = Base64.getDecoder().decode(text);
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), MOST_NANOS);
  }
}
