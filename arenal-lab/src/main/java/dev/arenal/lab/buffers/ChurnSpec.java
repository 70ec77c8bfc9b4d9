package dev.arenal.lab.buffers;

import java.util.ArrayList;
import java.util.List;

/**
 * What one process of a churn does.
 *
 * @param kind the allocator
 * @param countThreads how many threads share the work
 * @param countOperations buffers replaced, by all threads together
 * @param liveBytes the sum of all live buffers
 * @param sizes what sizes they have
 */
record ChurnSpec(
    PeerKind kind, int countThreads, long countOperations, long liveBytes, BufferSizes sizes) {
  /** The same with other operations and another sum. */
  ChurnSpec with(long operations, long bytes) {
    return new ChurnSpec(kind, countThreads, operations, bytes, sizes);
  }

  PeerSettings settings() {
    if (kind == PeerKind.NONE) {
      // The control writes into a ring: twice what is live, so that it is as cold as live memory.
      long fewest = (long) countThreads * 2 * sizes.mostBytes();
      return new PeerSettings(Math.max(fewest, 2 * liveBytes), null, countThreads);
    }
    return PeerSettings.generous(liveBytes, null, countThreads);
  }

  List<String> words() {
    List<String> words = new ArrayList<>();
    words.add("allocator=" + kind.label());
    words.add("threads=" + countThreads);
    words.add("operations=" + countOperations);
    words.add("live=" + liveBytes);
    words.addAll(sizes.words());
    return words;
  }

  static ChurnSpec of(ChildWords words) {
    return new ChurnSpec(
        PeerKind.ofLabel(words.text("allocator")),
        words.integer("threads"),
        words.number("operations"),
        words.number("live"),
        BufferSizes.of(words));
  }
}
