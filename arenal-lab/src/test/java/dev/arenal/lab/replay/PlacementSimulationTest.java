package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.replay.PlacementSimulation.Policy;
import dev.arenal.lab.trace.TraceSpace;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Arenas in pieces of shared pages and in pages of their own, by hand. */
final class PlacementSimulationTest {
  private static final int PAGE_WORDS = 512;
  private static final Policy QUARTERS = new Policy(1024, 2048, true);

  @Test
  void ownPages_areThoseOfEachArena() {
    assertThat(
            pages(
                Policy.OWN_PAGES,
                trace -> {
                  int first = trace.birth(TraceSpace.NON_CLASS, 0);
                  int second = trace.birth(TraceSpace.NON_CLASS, 1);
                  trace.allocate(first, 1);
                  trace.allocate(second, PAGE_WORDS);
                  trace.allocate(second, 1);
                  trace.death(first);
                  trace.death(second);
                }))
        .containsExactly(0, 0, 0, 1, 2, 3, 2, 0);
  }

  /** Four pieces make a page; the fifth arena begins another one. */
  @Test
  void smallArenas_shareAPage_whichGoesWithTheLast() {
    assertThat(
            pages(
                QUARTERS,
                trace -> {
                  for (int i = 0; i < 5; i++) {
                    trace.allocate(trace.birth(TraceSpace.NON_CLASS, i), 100);
                  }
                  trace.death(0);
                  trace.death(1);
                  trace.death(2);
                  trace.death(4);
                  trace.death(3);
                }))
        .containsExactly(0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 0);
  }

  @Test
  void arenaThatGrows_goesOnInPagesOfItsOwn() {
    assertThat(
            pages(
                QUARTERS,
                trace -> {
                  int arena = trace.birth(TraceSpace.NON_CLASS, 0);
                  trace.allocate(arena, 128);
                  trace.allocate(arena, 128); // the second piece
                  trace.allocate(arena, 1); // no third one
                  trace.allocate(arena, PAGE_WORDS - 1); // the rest of its page
                  trace.allocate(arena, 1);
                  trace.death(arena);
                }))
        .containsExactly(0, 0, 1, 1, 2, 2, 3, 0);
  }

  @Test
  void freePiece_isUsedAgain_orNot() {
    Consumer<SyntheticTrace> script =
        trace -> {
          for (int i = 0; i < 4; i++) {
            trace.allocate(trace.birth(TraceSpace.NON_CLASS, i), 100);
          }
          trace.death(1);
          trace.allocate(trace.birth(TraceSpace.NON_CLASS, 4), 100);
        };
    assertThat(pages(QUARTERS, script)).endsWith(1, 1, 1);
    assertThat(pages(new Policy(1024, 2048, false), script)).endsWith(1, 1, 2);
  }

  private static long[] pages(Policy policy, Consumer<SyntheticTrace> script) {
    ReplayProgram program = SyntheticTrace.program(script);
    long[] operations = new long[(int) program.operationCount() + 1];
    for (int i = 0; i < operations.length; i++) {
      operations[i] = i;
    }
    long[] pages = PlacementSimulation.committedBytes(program, policy, operations);
    for (int i = 0; i < pages.length; i++) {
      pages[i] /= ClairvoyantCurve.PAGE_BYTES;
    }
    return pages;
  }
}
