package dev.arenal.bench.tables;

import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.ChurnResult;
import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.figure.Comparison;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchResult;
import dev.arenal.lab.pretouch.PretouchSubject;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.proxy.ProxyArm;
import dev.arenal.lab.proxy.ProxyMeasurement;
import dev.arenal.lab.proxy.ProxyResult;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.result.Median;
import dev.arenal.lab.trace.Traces;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The one table of README: what is gained and what is lost, against everything measured. */
final class Overview {
  private static final int THREADS = 2;
  private static final String COLLECTOR = "G1";

  /**
   * Stands behind a figure that differs from ours by less than the error of both, or than runs do.
   */
  private static final String NO_DIFFERENCE = " ≈";

  private enum Column {
    ARENAL("Arenal"),
    JDK("the JDK"),
    NETTY("Netty, adaptive"),
    MALLOC("malloc"),
    JEMALLOC("jemalloc"),
    MIMALLOC("mimalloc");

    private final String title;

    Column(String title) {
      this.title = title;
    }
  }

  private static final Map<Column, AllocatorKind> ALLOCATORS =
      Map.of(
          Column.ARENAL, AllocatorKind.ELASTIC,
          Column.JDK, AllocatorKind.JDK_CONFINED,
          Column.MALLOC, AllocatorKind.MALLOC,
          Column.JEMALLOC, AllocatorKind.JEMALLOC,
          Column.MIMALLOC, AllocatorKind.MIMALLOC);

  private static final Map<Column, Factory> FACTORIES =
      Map.of(
          Column.ARENAL, Factory.POOLED,
          Column.JDK, Factory.JDK,
          Column.MALLOC, Factory.MALLOC);

  private static final Map<Column, PeerKind> PEERS =
      Map.of(
          Column.ARENAL, PeerKind.ARENAL,
          Column.NETTY, PeerKind.NETTY_ADAPTIVE,
          Column.MALLOC, PeerKind.MALLOC,
          Column.JEMALLOC, PeerKind.JEMALLOC,
          Column.MIMALLOC, PeerKind.MIMALLOC);

  /** Those that are told to give back early. */
  private static final Map<Column, PeerKind> TOLD_PEERS =
      Map.of(
          Column.ARENAL, PeerKind.ARENAL_SHORT,
          Column.MALLOC, PeerKind.MALLOC_TRIM,
          Column.JEMALLOC, PeerKind.JEMALLOC_DECAY);

  /** Netty's default, and malloc that is told to give back: the others are not arms. */
  private static final Map<Column, ProxyArm> ARMS =
      Map.of(
          Column.ARENAL, ProxyArm.ARENAL,
          Column.NETTY, ProxyArm.NETTY_ADAPTIVE,
          Column.MALLOC, ProxyArm.MALLOC_TRIM);

  private final Table table = new Table().column("less is better");
  private boolean isEmpty = true;

  private Overview() {
    for (Column column : Column.values()) {
      table.column(column.title);
    }
  }

  /** One row or none for each figure; what was not measured is left out. */
  static String table(Results results) throws IOException {
    Overview overview = new Overview();
    overview.owners(
        results.replays().orElse(List.of()).stream()
            .filter(replay -> Traces.isRecorded(replay.trace()))
            .toList());
    results.confined().ifPresent(overview::calls);
    results.churn().ifPresent(overview::churn);
    results.burst().ifPresent(overview::burst);
    results.proxy().ifPresent(overview::proxy);
    results
        .pretouch()
        .ifPresent(pretouch -> {
          overview.pretouch(pretouch, false);
          overview.pretouch(pretouch, true);
        });
    return overview.isEmpty ? "" : overview.table.markdown();
  }

  /** Of recorded programs: those that are generated suit an allocator or do not. */
  private void owners(List<TraceReplay> programs) {
    Function<AllocatorReplay, Optional<Double>> resident =
        result -> Optional.ofNullable(result.valley()).map(Sample::residentPerUsed);
    Function<AllocatorReplay, Optional<Double>> committed =
        result -> Optional.ofNullable(result.valley()).map(Sample::committedPerUsed);
    row(
        "owners: resident / used when most are gone, median of %d programs"
            .formatted(programs.size()),
        ALLOCATORS,
        kind -> median(programs, kind, resident));
    row(
        "owners: committed / used then, beside HotSpot's own metaspace",
        Map.of(Column.ARENAL, AllocatorKind.ELASTIC, Column.JDK, AllocatorKind.HOTSPOT),
        kind -> median(programs, kind, committed));
    row(
        "owners: all allocations and frees of these programs, ms",
        ALLOCATORS,
        kind ->
            ofAll(programs, kind, result -> Optional.ofNullable(result.wallNanos()))
                .map(nanos -> nanos.stream().mapToLong(Long::longValue).sum())
                .map(Figures::millis));
  }

  private static Optional<String> median(
      List<TraceReplay> programs,
      AllocatorKind kind,
      Function<AllocatorReplay, Optional<Double>> figure) {
    return ofAll(programs, kind, figure)
        .map(figures -> Median.of(figures, Double::valueOf))
        .map(Figures::number);
  }

  /** A figure of each program; empty if one is missing. */
  private static <T> Optional<List<T>> ofAll(
      List<TraceReplay> programs,
      AllocatorKind kind,
      Function<AllocatorReplay, Optional<T>> figure) {
    List<T> found =
        programs.stream()
            .flatMap(program -> program.find(kind).stream())
            .map(figure)
            .flatMap(Optional::stream)
            .toList();
    return found.isEmpty() || found.size() < programs.size()
        ? Optional.empty()
        : Optional.of(found);
  }

  private void calls(JmhMeasurement<ConfinedCell> confined) {
    call(confined, "a call: an arena without a block, ns", Shape.NONE, 0);
    call(confined, "a call: an arena with 20 bytes, ns", Shape.ONE, 20);
    call(confined, "a call: an arena with 8,000 bytes, ns", Shape.ONE, 8000);
  }

  private void call(
      JmhMeasurement<ConfinedCell> confined, String what, Shape shape, int sizeBytes) {
    ConfinedCell ours = new ConfinedCell(shape, sizeBytes, false, Factory.POOLED);
    confined
        .result(ours)
        .ifPresent(pooled ->
            row(
                what,
                FACTORIES,
                factory ->
                    factory == Factory.POOLED
                        ? Optional.of(Figures.number(pooled.nanosPerOperation()))
                        : confined
                            .result(ours.with(factory))
                            .map(result ->
                                figure(
                                    new Comparison(
                                        result.nanosPerOperation(),
                                        result.errorNanos(),
                                        pooled.nanosPerOperation(),
                                        pooled.errorNanos())))));
  }

  private static String figure(Comparison other) {
    return Figures.number(other.value()) + (other.isWithinError() ? NO_DIFFERENCE : "");
  }

  private void churn(ChurnMeasurement churn) {
    row(
        "buffers: resident / live, highest",
        PEERS,
        kind ->
            churn.find(kind, THREADS).map(result -> Figures.number(result.mostResidentPerLive())));
    row("buffers: ns an operation", PEERS, kind -> churnTime(churn, kind, THREADS));
  }

  /** The time of an operation, with a mark if the times of its runs overlap with ours. */
  static Optional<String> churnTime(ChurnMeasurement churn, PeerKind kind, int threadCount) {
    Optional<ChurnResult> ours =
        churn.find(PeerKind.ARENAL, threadCount).filter(_ -> !kind.isArenal());
    return churn
        .find(kind, threadCount)
        .map(result ->
            Figures.number(result.nanosPerOperation())
                + (ours.filter(result::isAsFastAs).isPresent() ? NO_DIFFERENCE : ""));
  }

  private void burst(BurstMeasurement burst) {
    Function<PeerKind, Optional<String>> left =
        kind ->
            burst
                .find(kind, THREADS, false)
                .map(result -> Figures.tenths(result.idleShare(burst.plan().burstBytes())));
    row("a burst: left after %s, by default".formatted(time(burst.plan().idle())), PEERS, left);
    row(
        "a burst: the same, told to give back after " + time(burst.plan().uncommitDelay()),
        TOLD_PEERS,
        left);
  }

  /** In seconds, with digits behind the point where they are needed. */
  private static String time(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }

  private void proxy(ProxyMeasurement proxy) {
    row(
        "a Netty proxy: left after %s of quiet, of the peak's buffers"
            .formatted(time(proxy.plan().idle())),
        ARMS,
        arm -> proxy.find(arm).map(ProxyResult::idleShare).map(Figures::tenths));
    row(
        "a Netty proxy: runs that lost clients in a small container, of %d"
            .formatted(proxy.plan().runCount()),
        ARMS,
        arm ->
            proxy
                .find(arm)
                .map(ProxyResult::limited)
                .map(limited -> Figures.count(limited.runCount() - limited.wholeCount())));
  }

  private void pretouch(PretouchMeasurement pretouch, boolean isHuge) {
    List<PretouchResult> results =
        pretouch.of(pretouch.largestBytes()).stream()
            .filter(result -> result.touchSeconds() != null)
            .filter(result -> result.subject().hugePages() == isHuge)
            .toList();
    Predicate<PretouchSubject> ours =
        subject -> subject.kind() == Kind.ARENAL && subject.method() != Method.TOUCH;
    row(
        Figures.format(
            "a start: %.0f GiB made resident, %s pages, s",
            (double) pretouch.largestBytes() / (1L << 30), isHuge ? "huge" : "4 KiB"),
        Map.<Column, Predicate<PretouchSubject>>of(
            Column.ARENAL,
            ours,
            Column.JDK,
            subject ->
                subject.collector() != null && subject.collector().label().equals(COLLECTOR)),
        which ->
            fastest(results, which)
                .map(result ->
                    Figures.format("%.2f", seconds(result))
                        + (isWithinError(result, fastest(results, ours)) ? NO_DIFFERENCE : "")));
  }

  private static Optional<PretouchResult> fastest(
      List<PretouchResult> results, Predicate<PretouchSubject> which) {
    return results.stream()
        .filter(result -> which.test(result.subject()))
        .min(Comparator.comparingDouble(Overview::seconds));
  }

  private static boolean isWithinError(PretouchResult result, Optional<PretouchResult> ours) {
    return ours.filter(other -> !other.equals(result))
        .filter(other -> other.isWithinError(1, result))
        .isPresent();
  }

  private static double seconds(PretouchResult result) {
    return Objects.requireNonNull(result.touchSeconds());
  }

  /** Without a figure of ours there is nothing to compare. */
  private <K> void row(String what, Map<Column, K> kinds, Function<K, Optional<String>> figure) {
    List<String> cells = new ArrayList<>(List.of(what));
    for (Column column : Column.values()) {
      Optional<String> cell = Optional.ofNullable(kinds.get(column)).flatMap(figure);
      if (column == Column.ARENAL && cell.isEmpty()) {
        return;
      }
      cells.add(cell.orElse(Figures.NONE));
    }
    isEmpty = false;
    table.row(cells);
  }
}
