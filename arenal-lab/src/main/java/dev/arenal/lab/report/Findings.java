package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was seen, in plain sentences. Every word that judges is chosen by the figures, so a lost
 * comparison reads as one.
 */
final class Findings {
  private final List<TraceReplay> replays;

  Findings(List<TraceReplay> replays) {
    this.replays = replays;
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    valley().ifPresent(sentences::add);
    sentences.addAll(new RivalFindings(replays).sentences());
    new MallocClaims(replays).sentence().ifPresent(sentences::add);
    return sentences;
  }

  /**
   * What matters most, in one sentence without a judgement: what each keeps at the valley, and how
   * long the replays take. Empty if there is nothing to say.
   */
  String headline() {
    List<String> kept = new ArrayList<>();
    for (AllocatorKind kind :
        List.of(AllocatorKind.ELASTIC, AllocatorKind.HOTSPOT, AllocatorKind.MALLOC)) {
      List<Pair> pairs = pairs(kind, kind, Findings::committedAtValley);
      if (!pairs.isEmpty()) {
        String name = kind == AllocatorKind.ELASTIC ? "Arenal" : kind.title();
        kept.add("%s %s times".formatted(name, range(pairs, Pair::ours, "%.2f")));
      }
    }
    if (kept.isEmpty()) {
      return "";
    }
    List<Pair> times = pairs(AllocatorKind.ELASTIC, AllocatorKind.MALLOC, Findings::wallNanos);
    String time =
        times.isEmpty()
            ? ""
            : "; with malloc the replay takes %s times as long as with Arenal"
                .formatted(range(times, pair -> pair.theirs() / pair.ours(), "%.1f"));
    return "After the spike, of what is still live, committed is: %s%s."
        .formatted(String.join(", ", kept), time);
  }

  /** One allocator's figure on one trace beside another's on the same. */
  private record Pair(String trace, double ours, double theirs) {}

  private Optional<String> valley() {
    List<Pair> pairs =
        pairs(AllocatorKind.ELASTIC, AllocatorKind.HOTSPOT, Findings::committedAtValley);
    if (pairs.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "At the valley elastic has committed %s times what is live, HotSpot %s times: %s."
            .formatted(
                range(pairs, Pair::ours, "%.2f"),
                range(pairs, Pair::theirs, "%.2f"),
                verdict(pairs, "less", "more")));
  }

  private List<Pair> pairs(
      AllocatorKind ours,
      AllocatorKind theirs,
      Function<AllocatorReplay, @Nullable Double> figure) {
    List<Pair> pairs = new ArrayList<>();
    for (TraceReplay replay : replays) {
      Double our = figure(replay, ours, figure);
      Double their = figure(replay, theirs, figure);
      if (our != null && their != null) {
        pairs.add(new Pair(replay.trace(), our, their));
      }
    }
    return pairs;
  }

  private static @Nullable Double figure(
      TraceReplay replay, AllocatorKind kind, Function<AllocatorReplay, @Nullable Double> figure) {
    for (AllocatorReplay result : replay.results()) {
      if (result.kind() == kind) {
        return figure.apply(result);
      }
    }
    return null;
  }

  /** Names the traces on which it is otherwise, if there are any. */
  private static String verdict(List<Pair> pairs, String won, String lost) {
    List<String> lostTraces = traces(pairs, false);
    if (lostTraces.isEmpty()) {
      return won + (pairs.size() == 1 ? " on " + pairs.getFirst().trace() : " on every trace");
    }
    List<String> wonTraces = traces(pairs, true);
    if (wonTraces.isEmpty()) {
      return "not " + won + " on any trace";
    }
    return "%s on %s, but equal or %s on %s"
        .formatted(won, String.join(", ", wonTraces), lost, String.join(", ", lostTraces));
  }

  private static List<String> traces(List<Pair> pairs, boolean isWon) {
    return pairs.stream()
        .filter(pair -> (pair.ours() < pair.theirs()) == isWon)
        .map(Pair::trace)
        .toList();
  }

  private static String range(List<Pair> pairs, Function<Pair, Double> figure, String format) {
    double least = pairs.stream().mapToDouble(figure::apply).min().orElseThrow();
    double most = pairs.stream().mapToDouble(figure::apply).max().orElseThrow();
    String low = String.format(Locale.ROOT, format, least);
    String high = String.format(Locale.ROOT, format, most);
    return low.equals(high) ? low : low + " to " + high;
  }

  private static @Nullable Double committedAtValley(AllocatorReplay replay) {
    Sample valley = replay.valley();
    return valley == null ? null : valley.committedPerUsed();
  }

  private static @Nullable Double wallNanos(AllocatorReplay replay) {
    Long nanos = replay.wallNanos();
    return nanos == null ? null : nanos.doubleValue();
  }
}
