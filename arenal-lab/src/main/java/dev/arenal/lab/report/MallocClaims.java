package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of the author of JEP 387 when he let HotSpot take its metadata from malloc instead of
 * its metaspace, beside what is found here with malloc and its rivals.
 */
record MallocClaims(List<TraceReplay> replays) {
  private static final String TITLE =
      "malloc in place of metaspace, as JEP 387's author found and as here";

  private static final String WHAT_IT_SAYS =
      "longer: the time of all births, allocations and deaths against elastic's; the author's"
          + " figure is of whole runs of a JVM, in which they are a small part. More at the peak:"
          + " resident size against elastic's, and against what HotSpot itself had committed, with"
          + " the headers of blocks and without. Given back: what left the process between peak and"
          + " valley";

  private static final String FOUND_BY_AUTHOR =
      "JEP 387's author found malloc in place of metaspace 8-12 % longer, with 18 % more resident"
          + " at the spike (16 % without headers) and nothing given back.";

  private static final List<String> SAID =
      List.of("JEP 387's author", "8-12 %", "18 %", "16 %", "18 %", "16 %", "nothing");

  private static final double SAID_LONGER = 0.08;
  private static final double SAID_MORE = 0.18;
  private static final double SAID_MORE_BARE = 0.16;

  /** Half a percent of a size is what a process's size moves by itself. */
  private static final double NOTHING = 0.005;

  /** The figures of one heap on one trace, as parts of what they are compared with. */
  private record Figure(
      AllocatorKind kind,
      String trace,
      @Nullable Double longer,
      @Nullable Double more,
      @Nullable Double moreBare,
      @Nullable Double moreThanHotspot,
      @Nullable Double moreBareThanHotspot,
      @Nullable Double givenBack) {}

  /** The author's figures in the first row, then a row for each heap and trace. */
  static List<Part> parts(List<TraceReplay> replays) {
    List<Figure> figures = new MallocClaims(replays).figures();
    if (figures.isEmpty()) {
      return List.of();
    }
    Table table = new Table().column("");
    table.column("against elastic", "longer");
    table.column("against elastic", "more at peak");
    table.column("against elastic", "no headers");
    table.column("against HotSpot", "more at peak");
    table.column("against HotSpot", "no headers");
    table.column("given back").row(SAID);
    for (Figure figure : figures) {
      table.row(
          "%s, %s".formatted(figure.kind().label(), figure.trace()),
          Figures.percent(figure.longer()),
          Figures.percent(figure.more()),
          Figures.percent(figure.moreBare()),
          Figures.percent(figure.moreThanHotspot()),
          Figures.percent(figure.moreBareThanHotspot()),
          Figures.percent(figure.givenBack()));
    }
    return List.of(new Part.Heading(TITLE), table, new Part.Note(WHAT_IT_SAYS));
  }

  /** The claims in a sentence, with malloc's figures here and whether they bear them out. */
  Optional<String> sentence() {
    List<Figure> figures =
        figures().stream().filter(figure -> figure.kind() == AllocatorKind.MALLOC).toList();
    List<String> parts = new ArrayList<>();
    claim(figures, Figure::longer, SAID_LONGER, "longer").ifPresent(parts::add);
    claim(figures, Figure::more, SAID_MORE, "more resident at the peak").ifPresent(parts::add);
    claim(figures, Figure::moreBare, SAID_MORE_BARE, "without headers").ifPresent(parts::add);
    givenBack(figures).ifPresent(parts::add);
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            FOUND_BY_AUTHOR + " Here, against elastic: " + String.join(", ", parts) + ".");
  }

  private static Optional<String> claim(
      List<Figure> figures, Function<Figure, @Nullable Double> part, double said, String what) {
    List<Double> present = figures.stream().map(part).filter(Objects::nonNull).toList();
    if (present.isEmpty()) {
      return Optional.empty();
    }
    long countLess = present.stream().filter(figure -> figure < said).count();
    String verdict = "no less than claimed";
    if (countLess == present.size()) {
      verdict = "less than claimed";
    } else if (countLess > 0) {
      verdict = "less than claimed on %d of %d traces".formatted(countLess, present.size());
    }
    return Optional.of(
        "%s %s (%s)"
            .formatted(
                Figures.range(present, figure -> Figures.judgedWholeShare(figure, said)),
                what,
                verdict));
  }

  private static Optional<String> givenBack(List<Figure> figures) {
    List<Double> present =
        figures.stream().map(Figure::givenBack).filter(Objects::nonNull).toList();
    if (present.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        present.stream().allMatch(part -> part < NOTHING)
            ? "nothing given back (as claimed)"
            : "%s given back (claimed: nothing)"
                .formatted(Figures.range(present, Figures::percent)));
  }

  private List<Figure> figures() {
    List<Figure> figures = new ArrayList<>();
    for (AllocatorKind kind : AllocatorKind.values()) {
      for (TraceReplay replay : replays) {
        Optional<AllocatorReplay> elastic = replay.find(AllocatorKind.ELASTIC);
        Optional<AllocatorReplay> heap = replay.find(kind);
        if (kind.isHeap() && heap.isPresent() && elastic.isPresent()) {
          figures.add(figure(replay, heap.get(), elastic.get()));
        }
      }
    }
    return figures;
  }

  private static Figure figure(TraceReplay replay, AllocatorReplay heap, AllocatorReplay elastic) {
    Long peakBytes = Moment.PEAK.residentBytes(heap);
    Long headerBytes = heap.headerBytes();
    Long bareBytes = peakBytes == null || headerBytes == null ? null : peakBytes - headerBytes;
    Long elasticBytes = Moment.PEAK.residentBytes(elastic);
    Long hotspotBytes =
        replay
            .find(AllocatorKind.HOTSPOT)
            .map(hotspot -> hotspot.peak().committedBytes())
            .orElse(null);
    return new Figure(
        heap.kind(),
        replay.trace(),
        more(heap.wallNanos(), elastic.wallNanos()),
        more(peakBytes, elasticBytes),
        more(bareBytes, elasticBytes),
        more(peakBytes, hotspotBytes),
        more(bareBytes, hotspotBytes),
        RivalTable.givenBack(heap));
  }

  /** By how much one figure is more than another, as a part of that; negative if it is less. */
  private static @Nullable Double more(@Nullable Long figure, @Nullable Long base) {
    return figure == null || base == null || base == 0 ? null : (double) figure / base - 1;
  }
}
