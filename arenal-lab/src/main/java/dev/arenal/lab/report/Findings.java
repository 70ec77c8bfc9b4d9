package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The observations, in plain sentences. Every word that judges is chosen by the figures, so a lost
 * comparison reads as one.
 */
record Findings(List<TraceReplay> replays) {
  /** Whom the headline compares, in this order. */
  private static final List<Named> NAMES =
      List.of(
          new Named(AllocatorKind.ELASTIC, "Arenal"),
          new Named(AllocatorKind.HOTSPOT, "HotSpot"),
          new Named(AllocatorKind.MALLOC, "malloc"));

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    valley().ifPresent(sentences::add);
    sentences.addAll(new RivalFindings(replays).sentences());
    new MallocClaims(replays).sentence().ifPresent(sentences::add);
    for (TraceReplay replay : replays) {
      ProgramFindings.small(replay.trace(), replay).ifPresent(sentences::add);
    }
    return sentences;
  }

  /**
   * The main result, in one sentence without a judgement: the memory that each keeps at the valley,
   * and how long the replays take. Empty if there is nothing to say.
   */
  String headline() {
    StringBuilder sentence = new StringBuilder();
    for (Named named : NAMES) {
      List<Double> kept =
          replays.stream()
              .flatMap(replay -> committedAtValley(replay, named.kind()).stream())
              .toList();
      if (!kept.isEmpty()) {
        String times = Figures.range(kept, Figures::ratio);
        sentence.append(
            sentence.isEmpty()
                ? "After the spike %s has committed %s times what is still live"
                    .formatted(named.name(), times)
                : ", %s %s times".formatted(named.name(), times));
      }
    }
    List<Pair> times =
        replays.stream()
            .flatMap(replay ->
                Pair.of("", replay, AllocatorKind.MALLOC, AllocatorReplay::wallNanos).stream())
            .filter(pair -> pair.ours() > 0) // of a tiny trace, rounded
            .toList();
    if (!sentence.isEmpty() && !times.isEmpty()) {
      sentence.append(
          "; a replay takes %s times as long with malloc as with Arenal"
              .formatted(Pair.range(times, ratio -> Figures.format("%.1f", ratio))));
    }
    return sentence.isEmpty() ? "" : sentence.append('.').toString();
  }

  private record Named(AllocatorKind kind, String name) {}

  private Optional<String> valley() {
    AllocatorKind hotspot = AllocatorKind.HOTSPOT;
    List<Pair> pairs =
        replays.stream()
            .flatMap(replay ->
                committedAtValley(replay, AllocatorKind.ELASTIC).stream()
                    .flatMap(ours ->
                        committedAtValley(replay, hotspot).stream()
                            .map(theirs -> new Pair(replay.trace(), hotspot, ours, theirs))))
            .toList();
    if (pairs.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "At the valley elastic has committed %s times what is live, HotSpot %s times: %s."
            .formatted(
                Figures.range(pairs.stream().map(Pair::ours).toList(), Figures::ratio),
                Figures.range(pairs.stream().map(Pair::theirs).toList(), Figures::ratio),
                verdict(pairs, "less", "more")));
  }

  private static Optional<Double> committedAtValley(TraceReplay replay, AllocatorKind kind) {
    return replay.find(kind).map(AllocatorReplay::valley).map(Sample::committedPerUsed);
  }

  /** Names the traces on which it is otherwise, if there are any. */
  private static String verdict(List<Pair> pairs, String won, String lost) {
    List<String> lostTraces = traces(pairs, false);
    if (lostTraces.isEmpty()) {
      return won + (pairs.size() == 1 ? " on " + pairs.getFirst().place() : " on every trace");
    }
    List<String> wonTraces = traces(pairs, true);
    if (wonTraces.isEmpty()) {
      return "not " + won + " on any trace";
    }
    return "%s on %s, but equal or %s on %s"
        .formatted(won, String.join(", ", wonTraces), lost, String.join(", ", lostTraces));
  }

  private static List<String> traces(List<Pair> pairs, boolean isWon) {
    return pairs.stream().filter(pair -> pair.isWon() == isWon).map(Pair::place).toList();
  }
}
