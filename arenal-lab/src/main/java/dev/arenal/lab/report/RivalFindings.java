package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.result.Labelled;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.stream.Stream;

/**
 * The verdict over elastic arenas and every other allocator, phase by phase, in sentences. Every
 * word that judges is chosen by the figures, and what is lost is named.
 */
record RivalFindings(List<TraceReplay> replays) {
  /** How many times as long as elastic another one is to take. */
  private static final double ASPIRED = 2;

  /** First over all of them, then one by one. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    lowest().ifPresent(sentences::add);
    fastest().ifPresent(sentences::add);
    for (AllocatorKind kind : AllocatorKind.values()) {
      if (kind.isRival()) {
        sentences.addAll(against(kind));
      }
    }
    return sentences;
  }

  private Optional<String> lowest() {
    List<Pair> closest = new ArrayList<>();
    for (TraceReplay replay : replays) {
      for (Moment moment : Moment.values()) {
        Stream.of(AllocatorKind.values())
            .filter(AllocatorKind::isRival)
            .flatMap(kind -> resident(replay, moment, kind).stream())
            .min((left, right) -> Double.compare(left.theirs(), right.theirs()))
            .ifPresent(closest::add);
      }
    }
    if (closest.isEmpty()) {
      return Optional.empty();
    }
    List<String> lost =
        closest.stream()
            .filter(pair -> !pair.isWon())
            .map(pair -> lost(pair, "keeps", "as much"))
            .toList();
    if (lost.isEmpty()) {
      double least = closest.stream().mapToDouble(Pair::ratio).min().orElseThrow();
      String next =
          Double.isInfinite(least) // elastic keeps nothing anywhere
              ? ""
              : "; the next one is at least %s larger".formatted(Figures.percent(least - 1));
      return Optional.of(
          "At every phase of every trace elastic's resident size is the lowest%s.".formatted(next));
    }
    return Optional.of(
        "Elastic's resident size is the lowest at %s of %d phases; not at %s."
            .formatted(
                lost.size() == closest.size() ? "none" : "" + (closest.size() - lost.size()),
                closest.size(),
                String.join(", ", lost)));
  }

  /** Against the fastest heap of each trace; where there is one heap, its own sentence says it. */
  private Optional<String> fastest() {
    List<AllocatorKind> heaps =
        Stream.of(AllocatorKind.values())
            .filter(kind ->
                kind.isHeap() && replays.stream().anyMatch(at -> time(at, kind).isPresent()))
            .toList();
    if (heaps.size() < 2) {
      return Optional.empty();
    }
    List<Pair> closest = new ArrayList<>();
    for (TraceReplay replay : replays) {
      heaps.stream()
          .flatMap(kind -> time(replay, kind).stream())
          .min((left, right) -> Double.compare(left.theirs(), right.theirs()))
          .ifPresent(closest::add);
    }
    List<String> lost =
        closest.stream()
            .filter(pair -> pair.ours() > pair.theirs())
            .map(pair -> lost(pair, "takes", "as long"))
            .toList();
    String where =
        lost.isEmpty()
            ? "every trace"
            : "%s of %d traces; not on %s"
                .formatted(
                    lost.size() == closest.size() ? "none" : "" + (closest.size() - lost.size()),
                    closest.size(),
                    String.join(", ", lost));
    return Optional.of(
        "Elastic is at least as fast as the fastest of %s on %s."
            .formatted(Labelled.labels(heaps), where));
  }

  private static String lost(Pair pair, String does, String same) {
    String less = Figures.percent(1 - pair.ratio());
    return "%s (%s %s %s)"
        .formatted(
            pair.place(),
            pair.rival().label(),
            does,
            less.equals(Figures.percent(0.0)) ? same : less + " less");
  }

  private List<String> against(AllocatorKind kind) {
    List<String> sentences = new ArrayList<>();
    Map<Moment, List<Pair>> pairs = new EnumMap<>(Moment.class);
    for (Moment moment : Moment.values()) {
      List<Pair> atMoment =
          replays.stream().flatMap(replay -> resident(replay, moment, kind).stream()).toList();
      if (!atMoment.isEmpty()) {
        pairs.put(moment, atMoment);
      }
    }
    if (!pairs.isEmpty()) {
      sentences.add(residentSentence(kind, pairs));
      sentences.remove(""); // where elastic keeps nothing, there are no ratios
    }
    List<Pair> times = replays.stream().flatMap(replay -> time(replay, kind).stream()).toList();
    if (!times.isEmpty()) {
      sentences.add(timeSentence(kind, times));
    }
    return sentences;
  }

  private static String residentSentence(AllocatorKind kind, Map<Moment, List<Pair>> pairs) {
    List<String> parts = new ArrayList<>();
    pairs.forEach((moment, atMoment) -> {
      List<Pair> comparable = atMoment.stream().filter(pair -> pair.ours() > 0).toList();
      if (!comparable.isEmpty()) {
        String what = parts.isEmpty() ? "times elastic's resident size" : "times";
        String times = range(comparable, ratio -> ratio > 1);
        parts.add("%s %s at the %s".formatted(times, what, moment.label()));
      }
    });
    List<Pair> all = pairs.values().stream().flatMap(List::stream).toList();
    return parts.isEmpty()
        ? ""
        : "%s keeps %s: elastic keeps less %s."
            .formatted(kind.label(), String.join(", ", parts), where(all));
  }

  private static String where(List<Pair> pairs) {
    List<String> lost = pairs.stream().filter(pair -> !pair.isWon()).map(Pair::place).toList();
    if (lost.isEmpty()) {
      return "at every phase";
    }
    return lost.size() == pairs.size()
        ? "at no phase"
        : "at all phases but " + String.join(", ", lost);
  }

  private static String timeSentence(AllocatorKind kind, List<Pair> times) {
    List<String> reached =
        times.stream().filter(pair -> pair.ratio() >= ASPIRED).map(Pair::place).toList();
    List<String> missed =
        times.stream().filter(pair -> pair.ratio() < ASPIRED).map(Pair::place).toList();
    String verdict;
    if (missed.isEmpty()) {
      verdict = "at least twice on every trace";
    } else if (reached.isEmpty()) {
      verdict = "less than twice on every trace";
    } else {
      verdict =
          "at least twice on %s, but less on %s"
              .formatted(String.join(", ", reached), String.join(", ", missed));
    }
    return "%s takes %s times as long as elastic: %s."
        .formatted(kind.label(), range(times, ratio -> ratio >= ASPIRED), verdict);
  }

  private static Optional<Pair> resident(TraceReplay replay, Moment moment, AllocatorKind kind) {
    String place = "the %s of %s".formatted(moment.label(), replay.trace());
    return Pair.of(place, replay, kind, moment::residentBytes);
  }

  private static Optional<Pair> time(TraceReplay replay, AllocatorKind kind) {
    return Pair.of(replay.trace(), replay, kind, AllocatorReplay::wallNanos)
        .filter(pair -> pair.ours() > 0);
  }

  /** As it is judged. */
  private static String range(List<Pair> pairs, DoublePredicate isGood) {
    return Pair.range(
        pairs, ratio -> ratio < 10 ? Figures.judged(ratio, 2, isGood) : Figures.multiple(ratio));
  }
}
