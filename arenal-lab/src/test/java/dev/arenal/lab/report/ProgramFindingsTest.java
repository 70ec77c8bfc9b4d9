package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.figure.Html;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.trace.TraceInfo;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The findings of {@code ./arenal try}. */
final class ProgramFindingsTest {
  private static final long MIB = Replays.MIB;

  @Test
  void valley_saysWhatWasKeptAndWhatWouldHaveBeen() throws IOException {
    TraceReplay replay =
        Replays.trace(
            "app",
            Replays.resident(AllocatorKind.HOTSPOT, 1, 110, 90, 110, 2),
            Replays.resident(AllocatorKind.ELASTIC, 1, 105, 21, 105, 2));
    Section section = ReplaySection.ofProgram(replay, List.of("a note"));

    assertThat(new ProgramFindings(replay).sentences())
        .containsExactly(
            "At the valley, with 20.0 MiB live, HotSpot kept 90.0 MiB committed (4.50 times); an"
                + " elastic space would have kept 21.0 MiB (1.05 times): 69.0 MiB less.",
            "At the end, with 1.0 MiB live, HotSpot kept 2.0 MiB committed (2.00 times); an elastic"
                + " space would have kept 2.0 MiB (2.00 times): as much.");
    assertThat(section.headline()).isEqualTo(section.findings().getFirst()).contains("69.0 MiB");
    assertThat(Html.of(section.parts())).contains("a note.");
  }

  @Test
  void elasticThatKeepsMore_isSaidSo() {
    TraceReplay replay =
        Replays.trace(
            "app",
            Replays.resident(AllocatorKind.HOTSPOT, 1, 110, 30, 110, 2),
            Replays.resident(AllocatorKind.ELASTIC, 1, 105, 40, 105, 2));

    assertThat(new ProgramFindings(replay).sentences().getFirst())
        .endsWith(
            "an elastic space would have kept 40.0 MiB (2.00 times): 10.0 MiB more, not less.");
  }

  @Test
  void noValley_isExplainedAndPeakAndEndAreCompared() {
    TraceReplay replay =
        new TraceReplay(
            "app",
            "25",
            10,
            2,
            1,
            12,
            3 * MIB,
            List.of(flat(AllocatorKind.HOTSPOT, 4 * MIB), flat(AllocatorKind.ELASTIC, 3 * MIB)),
            List.of(),
            List.of());

    assertThat(new ProgramFindings(replay).sentences())
        .containsExactly(
            "This program's metaspace has no valley: what is live never falls by more than a tenth"
                + " after its peak, so there was next to nothing to give back.",
            "At the peak, with 3.0 MiB live, HotSpot kept 4.0 MiB committed (1.33 times); an"
                + " elastic space would have kept 3.0 MiB (1.00 times): 1.0 MiB less.",
            "At the end, with 3.0 MiB live, HotSpot kept 4.0 MiB committed (1.33 times); an elastic"
                + " space would have kept 3.0 MiB (1.00 times): 1.0 MiB less.",
            "This is a small trace, never more than 3.0 MiB live: half-empty granules and the noise"
                + " of the process's size weigh more here than the allocator.");
  }

  @Test
  void missingSides_areNamed() {
    TraceReplay unknown =
        Replays.trace(
            "app",
            flat(AllocatorKind.HOTSPOT, null),
            Replays.resident(AllocatorKind.ELASTIC, 1, 105, 21, 105, 2));
    TraceReplay failed = Replays.trace("app", flat(AllocatorKind.HOTSPOT, 4 * MIB));

    assertThat(new ProgramFindings(unknown).sentences().get(1))
        .isEqualTo(
            "At the peak there is nothing to compare: the log did not say what HotSpot had"
                + " committed.");
    assertThat(new ProgramFindings(failed).sentences().get(1))
        .isEqualTo("At the peak there is nothing to compare: elastic did not replay the trace.");
  }

  @Test
  void recorded_tellsOfAProgramThatFailed() {
    TraceInfo info = new TraceInfo("app", "25", 65_536, 7, 0, 9, 4_321, 0, 2, 0, 1, 99);

    assertThat(ProgramFindings.recorded(info, 0))
        .isEqualTo("recorded 4,321 allocations in 2 arenas of 1 loaders");
    assertThat(ProgramFindings.recorded(info, 7))
        .isEqualTo(
            "recorded 4,321 allocations in 2 arenas of 1 loaders; the program ended with exit code"
                + " 7, what it did until then is replayed");
  }

  private static AllocatorReplay flat(AllocatorKind kind, @Nullable Long committedBytes) {
    Sample sample = new Sample(12, 3 * MIB, committedBytes, null);
    return new AllocatorReplay(
        kind, null, 1, null, 1L, 1.0, 0L, 0L, sample, null, null, sample, List.of(sample));
  }
}
