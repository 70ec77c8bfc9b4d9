package dev.arenal.lab.proxy;

import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The bytes of all responses: one random period over and over, which each response begins at a
 * place of its own. So bytes of another response, or of another place, are noticed.
 */
final class ResponsePattern {
  /** Most bytes of it at a time. */
  static final int PERIOD_BYTES = 1 << 16;

  private static final long SEED = 18;
  private static final ByteBuffer TWICE = twice();

  private ResponsePattern() {}

  private static ByteBuffer twice() {
    byte[] period = new byte[PERIOD_BYTES];
    new Random(SEED).nextBytes(period);
    return ByteBuffer.allocateDirect(2 * PERIOD_BYTES).put(period).put(period).flip();
  }

  /**
   * Some bytes of a response; at most a period of them.
   *
   * @param start the place that the response begins at
   * @param position of the first byte in the response
   */
  static ByteBuffer bytes(int start, int position, int length) {
    int first = (int) (((long) start + position) % PERIOD_BYTES);
    return TWICE.slice(first, Math.min(length, PERIOD_BYTES));
  }

  /** A place for the response to the n-th request. */
  static int start(int number) {
    return Math.floorMod(number * 7919, PERIOD_BYTES);
  }
}
