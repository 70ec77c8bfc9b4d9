package dev.arenal.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class EmbeddedTracesTest {
  private static final int MAX_SIZE_BYTES = 300_000;
  private static final int MAX_REAL_SIZE_BYTES = 600_000;

  /** The ratios are those that the recorded program itself printed in its valley. */
  @ParameterizedTest
  @CsvSource({"by-loader, 2318, 1.46", "by-class, 2318, 4.37", "one-class, 80018, 6.58"})
  void trace_tellsWhatHotspotCommitted(String name, int loaderCount, double ratio)
      throws IOException {
    Valley valley = new Valley();
    TraceInfo info = Traces.read(name, valley);

    assertThat(info.name()).isEqualTo(name);
    assertThat(info.jvmVersion()).startsWith("25.");
    assertThat(info.anomalyCount()).isZero();
    assertThat(info.loaderCount()).isEqualTo(loaderCount);
    assertThat(info.arenaCount()).isEqualTo(2 * loaderCount);
    assertThat(info.allocationCount()).isBetween(5_900_000, 6_000_000);
    assertThat(valley.ratioAfterPurge(4)).isCloseTo(ratio, within(0.01));
    try (InputStream in = Traces.embedded(name)) {
      assertThat(in.readAllBytes().length).isLessThan(MAX_SIZE_BYTES);
    }
  }

  /** Real programs come first, and each is small. */
  @ParameterizedTest
  @MethodSource("realPrograms")
  void recordingOfARealProgram_isWhole(String name) throws IOException {
    Valley valley = new Valley();
    TraceInfo info = Traces.read(name, valley);

    assertThat(info.name()).isEqualTo(name);
    assertThat(info.jvmVersion()).startsWith("25.");
    assertThat(info.programExit()).isZero();
    assertThat(info.deathCount()).isGreaterThanOrEqualTo(100);
    assertThat(valley.purgeCount()).isPositive();
    try (InputStream in = Traces.embedded(name)) {
      assertThat(in.readAllBytes().length).isLessThan(MAX_REAL_SIZE_BYTES);
    }
  }

  static List<String> realPrograms() {
    return Traces.embeddedNames().subList(0, Traces.embeddedNames().size() - 3);
  }

  @Test
  void unknownName_isRefused() {
    assertThat(Traces.embeddedNames()).endsWith("by-loader", "by-class", "one-class");
    assertThatThrownBy(() -> Traces.embedded("by-magic"))
        .hasMessage(
            "no embedded trace of this name: name=by-magic (expected one of [groovy, clojure,"
                + " rhino, jsp, calcite, hibernate, tomcat, felix, builds, lambdas, by-loader,"
                + " by-class, one-class])");
  }

  /** Committed over used right behind each purge. */
  private static final class Valley implements TraceVisitor {
    private final List<Long> wordsOfArenas = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
    private long usedWords;
    private long nonClassCommittedBytes;
    private long classCommittedBytes;
    private boolean isPurging;

    double ratioAfterPurge(int number) {
      return ratios.get(number - 1);
    }

    int purgeCount() {
      return ratios.size();
    }

    private void event() {
      if (isPurging) {
        isPurging = false;
        ratios.add((nonClassCommittedBytes + classCommittedBytes) / (usedWords * 8.0));
      }
    }

    @Override
    public void birth(int arena, TraceSpace space, int loader) {
      event();
      wordsOfArenas.add(0L);
    }

    @Override
    public void allocate(int arena, int sizeWords, int block) {
      event();
      usedWords += sizeWords;
      wordsOfArenas.set(arena, wordsOfArenas.get(arena) + sizeWords);
    }

    @Override
    public void deallocate(int arena, int block) {
      event();
    }

    @Override
    public void death(int arena) {
      event();
      usedWords -= wordsOfArenas.get(arena);
    }

    @Override
    public void hotspotCommitted(TraceSpace space, long committedBytes) {
      switch (space) {
        case CLASS -> classCommittedBytes = committedBytes;
        case NON_CLASS -> nonClassCommittedBytes = committedBytes;
      }
    }

    @Override
    public void mark(String label) {
      isPurging = true;
    }
  }
}
