package dev.arenal.lab.buffers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What one process of a burst does.
 *
 * @param kind the allocator
 * @param countThreads how many threads share the burst
 * @param burstBytes the sum of all buffers
 * @param hasSurvivors whether one buffer in each megabyte stays
 * @param idle how long nothing happens after the last free
 * @param uncommitDelay how long Arenal is told to keep free memory
 * @param sizes what sizes the buffers have
 */
record BurstSpec(
    PeerKind kind,
    int countThreads,
    long burstBytes,
    boolean hasSurvivors,
    Duration idle,
    Duration uncommitDelay,
    BufferSizes sizes) {
  PeerSettings settings() {
    return PeerSettings.generous(burstBytes, uncommitDelay, countThreads);
  }

  /** A small one without idling. */
  BurstSpec warmUp(long bytes) {
    return new BurstSpec(
        kind, countThreads, bytes, hasSurvivors, Duration.ZERO, uncommitDelay, sizes);
  }

  List<String> words() {
    List<String> words = new ArrayList<>();
    words.add("allocator=" + kind.label());
    words.add("threads=" + countThreads);
    words.add("burst=" + burstBytes);
    words.add("survivors=" + (hasSurvivors ? 1 : 0));
    words.add("idle=" + idle.toMillis());
    words.add("delay=" + uncommitDelay.toMillis());
    words.addAll(sizes.words());
    return words;
  }

  static BurstSpec of(ChildWords words) {
    return new BurstSpec(
        PeerKind.ofLabel(words.text("allocator")),
        words.integer("threads"),
        words.number("burst"),
        words.integer("survivors") == 1,
        Duration.ofMillis(words.number("idle")),
        Duration.ofMillis(words.number("delay")),
        BufferSizes.of(words));
  }
}
