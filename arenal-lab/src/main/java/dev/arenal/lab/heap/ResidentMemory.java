package dev.arenal.lab.heap;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The resident size of this process as the kernel counts it, without files: anonymous and shared
 * memory.
 *
 * <p>Reads {@code /proc/self/status} through one open file and one array, so that looking does not
 * change what is looked at.
 */
public final class ResidentMemory implements AutoCloseable {
  private static final byte[] ANONYMOUS = "RssAnon:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SHARED = "RssShmem:".getBytes(StandardCharsets.US_ASCII);
  private static final int BYTES_PER_KB = 1024;

  /** A user may be in thousands of groups, which stand before the figures. */
  private static final int LARGEST_FILE_BYTES = 64 << 10;

  /** For more the JDK calls malloc, which may be what is looked at. */
  private static final int LARGEST_READ_BYTES = 8 << 10;

  private final RandomAccessFile status;
  private final byte[] text = new byte[LARGEST_FILE_BYTES];

  private ResidentMemory(RandomAccessFile status) {
    this.status = status;
  }

  /** Opens what the kernel says of this process. */
  public static ResidentMemory ofThisProcess() throws IOException {
    Path path = Path.of("/proc/self/status");
    return new ResidentMemory(new RandomAccessFile(path.toFile(), "r"));
  }

  /** Resident now. */
  public long residentBytes() {
    try {
      status.seek(0);
      int length = 0;
      int count = 0;
      while (count >= 0 && length < text.length) {
        length += count;
        count = status.read(text, length, Math.min(LARGEST_READ_BYTES, text.length - length));
      }
      return (kilobytes(ANONYMOUS, length) + kilobytes(SHARED, length)) * BYTES_PER_KB;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the resident size of this process", e);
    }
  }

  private long kilobytes(byte[] key, int length) {
    int at = find(key, length);
    long value = 0;
    boolean inNumber = false;
    for (int i = at + key.length; i < length; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        inNumber = true;
        value = value * 10 + text[i] - '0';
      } else if (inNumber) {
        return value;
      }
    }
    throw new IllegalStateException("no end of a line in /proc/self/status: length=" + length);
  }

  private int find(byte[] key, int length) {
    for (int start = 0; start + key.length <= length; start++) {
      int matched = 0;
      while (matched < key.length && text[start + matched] == key[matched]) {
        matched++;
      }
      if (matched == key.length) {
        return start;
      }
    }
    throw new IllegalStateException(
        "no line %s in /proc/self/status (expected a kernel of 4.5 or later)"
            .formatted(new String(key, StandardCharsets.US_ASCII)));
  }

  @Override
  public void close() throws IOException {
    status.close();
  }
}
