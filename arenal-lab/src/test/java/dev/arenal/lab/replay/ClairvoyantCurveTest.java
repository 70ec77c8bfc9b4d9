package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.trace.TraceSpace;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Arenas that die together are packed into pages of their own. */
final class ClairvoyantCurveTest {
  private static final int PAGE_WORDS = 512;

  @Test
  void arenasThatDieTogether_sharePages() {
    assertThat(
            pagesAtEachOperation(trace -> {
              int first = trace.birth(TraceSpace.NON_CLASS, 0);
              trace.allocate(first, PAGE_WORDS / 2);
              int second = trace.birth(TraceSpace.NON_CLASS, 1);
              trace.allocate(second, PAGE_WORDS / 2);
              trace.allocate(second, 1);
              trace.death(first);
              trace.death(second);
            }))
        .containsExactly(0, 0, 1, 1, 1, 2, 1, 0);
  }

  @Test
  void arenasThatDieApart_shareNone() {
    assertThat(
            pagesAtEachOperation(trace -> {
              int first = trace.birth(TraceSpace.NON_CLASS, 0);
              int second = trace.birth(TraceSpace.NON_CLASS, 1);
              int immortal = trace.birth(TraceSpace.NON_CLASS, 2);
              trace.allocate(first, 1);
              trace.allocate(second, 1);
              trace.allocate(immortal, 1);
              trace.death(first);
              trace.allocate(second, 1);
              trace.death(second);
            }))
        .containsExactly(0, 0, 0, 0, 1, 2, 3, 2, 2, 1);
  }

  @Test
  void spaces_shareNone() {
    assertThat(
            pagesAtEachOperation(trace -> {
              int data = trace.birth(TraceSpace.NON_CLASS, 0);
              int classes = trace.birth(TraceSpace.CLASS, 0);
              trace.allocate(data, 1);
              trace.allocate(classes, 1);
              trace.death(data);
              trace.death(classes);
            }))
        .containsExactly(0, 0, 0, 1, 2, 1, 0);
  }

  /** A block that is given back between two deaths does not part them. */
  @Test
  void blockGivenBackEarly_leavesRoomForTheNext() {
    assertThat(
            pagesAtEachOperation(trace -> {
              int first = trace.birth(TraceSpace.NON_CLASS, 0);
              int second = trace.birth(TraceSpace.NON_CLASS, 1);
              int block = trace.allocate(first, PAGE_WORDS);
              trace.deallocate(first, block);
              trace.allocate(first, PAGE_WORDS / 2);
              int rest = trace.allocate(second, PAGE_WORDS / 2);
              trace.death(first);
              trace.deallocate(second, rest);
              trace.death(second);
            }))
        .containsExactly(0, 0, 0, 1, 0, 1, 1, 1, 0, 0);
  }

  private static long[] pagesAtEachOperation(Consumer<SyntheticTrace> script) {
    ReplayProgram program = SyntheticTrace.program(script);
    long[] operations = new long[(int) program.operationCount() + 1];
    for (int i = 0; i < operations.length; i++) {
      operations[i] = i;
    }
    long[] pages = ClairvoyantCurve.committedBytes(program, operations);
    for (int i = 0; i < pages.length; i++) {
      assertThat(pages[i] % ClairvoyantCurve.PAGE_BYTES).isZero();
      pages[i] /= ClairvoyantCurve.PAGE_BYTES;
    }
    return pages;
  }
}
