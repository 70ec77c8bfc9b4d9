package dev.arenal.lab.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * A list of packed operations that grows by whole chunks, so that growing never copies and a trace
 * of a hundred million operations needs no array of that length.
 */
final class OperationList {
  static final int CHUNK_BITS = 18;
  static final int COUNT_PER_CHUNK = 1 << CHUNK_BITS;
  private static final int INDEX_MASK = COUNT_PER_CHUNK - 1;

  private final List<long[]> chunks = new ArrayList<>();
  private long count;

  void add(long operation) {
    int index = (int) (count & INDEX_MASK);
    if (index == 0) {
      chunks.add(new long[COUNT_PER_CHUNK]);
    }
    chunks.getLast()[index] = operation;
    count++;
  }

  long get(long index) {
    return chunks.get((int) (index >>> CHUNK_BITS))[(int) (index & INDEX_MASK)];
  }

  void set(long index, long operation) {
    chunks.get((int) (index >>> CHUNK_BITS))[(int) (index & INDEX_MASK)] = operation;
  }

  long count() {
    return count;
  }

  long sizeBytes() {
    return (long) chunks.size() * COUNT_PER_CHUNK * Long.BYTES;
  }

  /** Hands the operations {@code from} (inclusive) to {@code to} (exclusive) on, run by run. */
  void forEachRun(long from, long to, RunConsumer consumer) {
    long next = from;
    while (next < to) {
      int first = (int) (next & INDEX_MASK);
      int last = (int) Math.min(COUNT_PER_CHUNK, first + (to - next));
      consumer.accept(chunks.get((int) (next >>> CHUNK_BITS)), first, last);
      next += last - first;
    }
  }

  /** Takes one run of operations that lie in one array. */
  @FunctionalInterface
  interface RunConsumer {
    void accept(long[] chunk, int first, int last);
  }
}
