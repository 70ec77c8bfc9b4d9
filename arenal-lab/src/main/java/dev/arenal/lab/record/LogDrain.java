package dev.arenal.lab.record;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that empties the pipe, line by line, until it reads the line that ends the log.
 *
 * <p>The program waits while the pipe is full, so this never stops early: when the trace cannot be
 * written any more, the first failure is kept and the rest of the log is thrown away.
 */
final class LogDrain implements Runnable {
  private static final int BUFFER_BYTES = 1 << 18;

  /**
   * The JVM writes each line by itself. Woken up for every one, this thread would cost the program
   * more than the logging: after a read that found little it lets the pipe (64 KiB) fill up again.
   */
  private static final int ENOUGH_BYTES = 1 << 15;

  private static final long PAUSE_NANOS = 100_000;

  private final InputStream in;
  private final byte[] endLine;
  private final MetaspaceLog log;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private @Nullable Throwable failure;

  /**
   * Creates a drain; {@link #run} reads.
   *
   * @param in the log
   * @param endLine the line, without its break, after which nothing follows
   * @param log takes in the lines
   */
  LogDrain(InputStream in, byte[] endLine, MetaspaceLog log) {
    this.in = in;
    this.endLine = endLine.clone();
    this.log = log;
  }

  @Override
  public void run() {
    int size = 0;
    while (true) {
      int readCount;
      try {
        readCount = in.read(buffer, size, buffer.length - size);
      } catch (IOException e) {
        fail(e);
        return;
      }
      if (readCount < 0) {
        return;
      }
      if (readCount < ENOUGH_BYTES) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      int usedCount = acceptLines(size, size + readCount);
      if (usedCount < 0) {
        return;
      }
      size = size + readCount - usedCount;
      System.arraycopy(buffer, usedCount, buffer, 0, size);
      if (size == buffer.length) {
        // No line of this log is that long; what it is does not matter.
        size = 0;
      }
    }
  }

  /** Returns what made writing the trace fail, or null; to be asked after {@link #run}. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Takes in the whole lines and returns how many bytes they had; -1 after the end line. */
  private int acceptLines(int seenCount, int size) {
    int start = 0;
    for (int i = seenCount; i < size; i++) {
      if (buffer[i] == '\n') {
        if (isEndLine(start, i)) {
          return -1;
        }
        if (i > start) {
          accept(start, i);
        }
        start = i + 1;
      }
    }
    return start;
  }

  private boolean isEndLine(int start, int end) {
    return Arrays.equals(buffer, start, end, endLine, 0, endLine.length);
  }

  private void accept(int start, int end) {
    if (failure != null) {
      return;
    }
    try {
      log.accept(buffer, start, end);
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(e);
    }
  }

  private void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }
}
