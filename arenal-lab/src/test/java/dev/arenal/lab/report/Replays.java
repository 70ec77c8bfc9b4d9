package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results made up for tests: round figures, nothing measured. */
final class Replays {
  static final long MIB = 1024 * 1024;

  private Replays() {}

  static TraceReplay trace(String name, AllocatorReplay... results) {
    return new TraceReplay(
        name,
        "25.0.3+9-LTS",
        1000,
        20,
        10,
        2000,
        100 * MIB,
        List.of(results),
        List.of(),
        List.of());
  }

  /** A replay whose figures at the valley, in time and at the end are given. */
  static AllocatorReplay replay(
      AllocatorKind kind,
      @Nullable Long wallNanos,
      @Nullable Long committedAtValley,
      @Nullable Long residentAtEnd) {
    Sample start = new Sample(0, 0, 0L, residentAtEnd == null ? null : 0L);
    Sample peak = new Sample(800, 100 * MIB, 120 * MIB, null);
    Sample valley = new Sample(1000, 20 * MIB, committedAtValley, null);
    Sample end = new Sample(2000, 0, 0L, residentAtEnd);
    return new AllocatorReplay(
        kind,
        null,
        wallNanos == null ? 0 : 1,
        null,
        wallNanos,
        wallNanos == null ? null : wallNanos / 1000.0,
        wallNanos == null ? null : 0L,
        kind == AllocatorKind.MALLOC ? 16_000L : null,
        peak,
        valley,
        null,
        end,
        List.of(start, peak, valley, end));
  }

  /**
   * A replay of 100, 20 and 100 live MiB with these resident sizes at the four phases, in MiB; its
   * headers take 16 MiB if it has any.
   */
  static AllocatorReplay resident(AllocatorKind kind, long wallNanos, long... mebibytes) {
    long[] usedMebibytes = {100, 20, 100, 1};
    Sample[] samples = new Sample[usedMebibytes.length];
    for (int i = 0; i < samples.length; i++) {
      long bytes = mebibytes[i] * MIB;
      samples[i] =
          new Sample(500L * i, usedMebibytes[i] * MIB, bytes, bytes, wallNanos * (i + 1) / 4);
    }
    return new AllocatorReplay(
        kind,
        kind.isHeap() ? kind.label() + " 1.0" : null,
        1,
        null,
        wallNanos,
        wallNanos / 1000.0,
        0L,
        kind.isHeap() ? 16 * MIB : 0,
        samples[0],
        samples[1],
        samples[2],
        samples[3],
        List.of(samples));
  }
}
