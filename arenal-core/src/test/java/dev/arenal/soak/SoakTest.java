package dev.arenal.soak;

import dev.arenal.elastic.Seeds;
import dev.arenal.faults.FaultLoader;
import dev.arenal.faults.FaultProgram;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All allocators under one budget, with faults of all kinds: some seconds in every build ({@code
 * -Dsoak.seconds}), an hour in the soak profile ({@code mvn -Psoak -pl arenal-core test
 * -Dtest=SoakTest}; {@code -Dsoak.minutes}, {@code -Dsoak.faults=stack,heap,callbacks,machine},
 * {@code -Dtest.seed}).
 *
 * <p>By turns with the library as it is, whose code the compiler knows best, and with one that is
 * rewritten so that the Java heap and the stack end where they are told to.
 */
final class SoakTest {
  @Test
  void nothingIsFound() throws Exception {
    run(Duration.ofSeconds(Long.getLong("soak.seconds", Seeds.draws(6))), Duration.ofSeconds(3));
  }

  @Tag("soak")
  @Test
  void nothingIsFound_forLong() throws Exception {
    run(Duration.ofMinutes(Long.getLong("soak.minutes", 60)), Duration.ofMinutes(5));
  }

  private static void run(Duration length, Duration segment) throws Exception {
    AssertionError first = null;
    boolean isRewritten = false;
    for (Duration done = Duration.ZERO;
        done.compareTo(length) < 0;
        done = done.plus(segment), isRewritten = !isRewritten) {
      try {
        run(segment, isRewritten);
      } catch (AssertionError e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static void run(Duration segment, boolean isRewritten) throws Exception {
    Set<SoakFault> faults = SoakFault.parse(SoakFault.wanted());
    if (isRewritten && faults.contains(SoakFault.HEAP)) {
      SoakProgram.setLength(segment);
      FaultProgram program = new FaultLoader().newProgram(SoakProgram.class);
      program.operate();
    } else {
      faults.remove(SoakFault.HEAP);
      Soak.run(segment, faults);
    }
  }
}
