package dev.arenal.elastic;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that failed once, as the shrinker printed them. */
final class ProgramReplayTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        // A size so large that rounding it up overflows was taken for a block of 8 bytes.
        """
        config 4096 DISCARD 0 BALANCED -1 -1 1
        OPEN 0 0 0
        ALLOCATE 0 0 8
        FREE_WRONG 0 0 3
        """,
        // A closed arena still told what it had used.
        """
        config 4096 DISCARD 0 BALANCED -1 -1 1
        OPEN 0 0 0
        ALLOCATE 0 0 8
        CLOSE 0 0 0
        """,
      })
  void oldFailure_staysAway(String text) {
    ProgramRunner.run(Program.parse(text), 1);
  }
}
