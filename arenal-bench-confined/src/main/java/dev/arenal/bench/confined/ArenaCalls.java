package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;

/** A native call that writes its result to a place it is given. */
public class ArenaCalls extends ConfinedBenchmark {
  /** The time, as the C library tells it; no system call on Linux. */
  @Benchmark
  public long time(FactoryState state) {
    try (Arena arena = Contender.open()) {
      MemorySegment place = arena.allocate(ValueLayout.JAVA_LONG);
      return LibC.time(place) + place.get(ValueLayout.JAVA_LONG, 0);
    }
  }
}
