package dev.arenal.soak;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All allocators under one budget, with faults of all kinds: some seconds in every build, an hour
 * in the soak profile ({@code mvn -Psoak -pl arenal-core test -Dtest=SoakTest}; {@code
 * -Dsoak.minutes}, {@code -Dsoak.faults=stack,heap,callbacks,machine}, {@code -Dtest.seed}).
 */
final class SoakTest {
  private static final String FAULTS = "stack,heap,callbacks,machine";

  @Test
  void nothingIsFound() {
    Soak.run(Duration.ofSeconds(Long.getLong("soak.seconds", 10)), Faults.parse(faults()));
  }

  @Tag("soak")
  @Test
  void nothingIsFound_forLong() {
    Soak.run(Duration.ofMinutes(Long.getLong("soak.minutes", 60)), Faults.parse(faults()));
  }

  private static String faults() {
    return System.getProperty("soak.faults", FAULTS);
  }
}
