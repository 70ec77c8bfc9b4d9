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
 * The observations, in plain sentences. Every word that judges is chosen by the figures, so a lost
 * comparison reads as one.
 */
final class Findings {
  /** Whom the headline compares, in this order. */
  private static final List<Named> NAMES =
      List.of(
          new Named(AllocatorKind.ELASTIC, "Arenal"),
          new Named(AllocatorKind.HOTSPOT, "HotSpot"),
          new Named(AllocatorKind.MALLOC, "malloc"));

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
   * The main result, in one sentence without a judgement: the memory that each keeps at the valley,
   * and how long the replays take. Empty if there is nothing to say.
   */
  String headline() {
    StringBuilder sentence = new StringBuilder();
    for (Named named : NAMES) {
      List<Pair> pairs = pairs(named.kind(), named.kind(), Findings::committedAtValley);
      if (!pairs.isEmpty()) {
        String times = range(pairs, Pair::ours, "%.2f");
        sentence.append(
            sentence.isEmpty()
                ? "After the spike %s has committed %s times what is still live"
                    .formatted(named.name(), times)
                : ", %s %s times".formatted(named.name(), times));
      }
    }
    List<Pair> times = pairs(AllocatorKind.ELASTIC, AllocatorKind.MALLOC, Findings::wallNanos);
    if (!sentence.isEmpty() && !times.isEmpty()) {
      sentence.append(
          "; a replay takes %s times as long with malloc as with Arenal"
              .formatted(range(times, pair -> pair.theirs() / pair.ours(), "%.1f")));
    }
    return sentence.isEmpty() ? "" : sentence.append('.').toString();
  }

  private record Named(AllocatorKind kind, String name) {}

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
    return replay.find(kind).map(figure).orElse(null);
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
