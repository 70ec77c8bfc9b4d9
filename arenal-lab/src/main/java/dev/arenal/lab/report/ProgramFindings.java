package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.trace.TraceInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The findings about a user's own program: the memory that HotSpot kept, and that an elastic space
 * would have kept. Words that judge are chosen by the figures.
 */
public record ProgramFindings(TraceReplay replay) {
  /** For a program whose trace is empty. */
  public static final String NOTHING_TO_REPLAY =
      "nothing to replay: the program allocated no metaspace of its own (expected one that loads"
          + " classes); no report is written";

  /** Below that, what a process's size moves by itself shows as much as an allocator does. */
  private static final long SMALL_BYTES = 4 * 1024 * 1024;

  /** Differences below that are none. */
  private static final long SAME_BYTES = 64 * 1024;

  /** Describes the recording, and the program's end if it failed. */
  public static String recorded(TraceInfo info, int exitCode) {
    String counts =
        "recorded %s allocations in %s arenas of %s loaders"
            .formatted(
                Figures.count(info.allocationCount()),
                Figures.count(info.arenaCount()),
                Figures.count(info.loaderCount()));
    return exitCode == 0
        ? counts
        : "%s; the program ended with exit code %d, what it did until then is replayed"
            .formatted(counts, exitCode);
  }

  /** The answer first, then what weakens it. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    Moment moment = valley() == null ? Moment.PEAK : Moment.VALLEY;
    if (moment == Moment.PEAK) {
      sentences.add(
          "This program's metaspace has no valley: what is live never falls by more than a tenth"
              + " after its peak, so there was next to nothing to give back.");
    }
    sentences.add(kept(moment));
    sentences.add(kept(Moment.END));
    small("This", replay).ifPresent(sentences::add);
    return sentences;
  }

  /** The caveat about a trace that is too small to judge by. */
  static Optional<String> small(String name, TraceReplay replay) {
    return replay.maxUsedBytes() >= SMALL_BYTES
        ? Optional.empty()
        : Optional.of(
            "%s is a small trace, never more than %s MiB live: half-empty granules and the noise"
                    .formatted(name, Figures.mebibytes(replay.maxUsedBytes()))
                + " of the process's size weigh more here than the allocator.");
  }

  private @Nullable Sample valley() {
    return replay.results().isEmpty() ? null : replay.results().getFirst().valley();
  }

  private String kept(Moment moment) {
    Sample hotspot = sample(AllocatorKind.HOTSPOT, moment);
    Sample elastic = sample(AllocatorKind.ELASTIC, moment);
    Long hotspotBytes = hotspot == null ? null : hotspot.committedBytes();
    Long elasticBytes = elastic == null ? null : elastic.committedBytes();
    String at = "At the " + moment.label();
    if (hotspotBytes == null || elasticBytes == null || elastic == null) {
      return at
          + " there is nothing to compare: %s."
              .formatted(
                  hotspotBytes == null
                      ? "the log did not say what HotSpot had committed"
                      : "elastic did not replay the trace");
    }
    return "%s, with %s MiB live, HotSpot kept %s MiB committed%s; an elastic space would have kept"
            .formatted(
                at,
                Figures.mebibytes(elastic.usedBytes()),
                Figures.mebibytes(hotspotBytes),
                times(hotspot))
        + " %s MiB%s: %s."
            .formatted(
                Figures.mebibytes(elasticBytes),
                times(elastic),
                difference(hotspotBytes - elasticBytes));
  }

  private static String times(@Nullable Sample sample) {
    Double ratio = sample == null ? null : sample.committedPerUsed();
    return ratio == null ? "" : " (%s times)".formatted(Figures.ratio(ratio));
  }

  private static String difference(long savedBytes) {
    if (Math.abs(savedBytes) < SAME_BYTES) {
      return "as much";
    }
    return "%s MiB %s"
        .formatted(
            Figures.mebibytes(Math.abs(savedBytes)), savedBytes > 0 ? "less" : "more, not less");
  }

  private @Nullable Sample sample(AllocatorKind kind, Moment moment) {
    return replay.find(kind).map(moment::of).orElse(null);
  }
}
