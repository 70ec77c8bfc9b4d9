package dev.arenal.bench.tables;

import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
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
import dev.arenal.lab.proxy.LimitedResult;
import dev.arenal.lab.proxy.ProxyArm;
import dev.arenal.lab.proxy.ProxyMeasurement;
import dev.arenal.lab.proxy.ProxyResult;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.result.Median;
import dev.arenal.lab.trace.Traces;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The one table of README: what is gained and what is lost, against everything measured. */
final class Overview {
  private static final int THREADS = 2;
  private static final String COLLECTOR = "G1";

  /** Stands behind a figure that differs from ours by less than the error of both. */
  private static final String NO_DIFFERENCE = " ≈";

  private final Table table =
      new Table()
          .column("less is better")
          .column("Arenal")
          .column("the JDK")
          .column("Netty, adaptive")
          .column("malloc")
          .column("jemalloc")
          .column("mimalloc");
  private boolean isEmpty = true;

  /** One row or none for each figure; what was not measured is left out. */
  static String table(
      List<TraceReplay> replays,
      @Nullable JmhMeasurement<ConfinedCell> confined,
      @Nullable ChurnMeasurement churn,
      @Nullable BurstMeasurement burst,
      @Nullable ProxyMeasurement proxy,
      @Nullable PretouchMeasurement pretouch) {
    Overview overview = new Overview();
    overview.owners(replays.stream().filter(replay -> Traces.isRecorded(replay.trace())).toList());
    if (confined != null) {
      overview.calls(confined);
    }
    if (churn != null) {
      overview.churn(churn);
    }
    if (burst != null) {
      overview.burst(burst);
    }
    if (proxy != null) {
      overview.proxy(proxy);
    }
    if (pretouch != null) {
      overview.pretouch(pretouch, false);
      overview.pretouch(pretouch, true);
    }
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
        kind ->
            ofAll(programs, kind, resident)
                .map(figures -> Median.of(figures, Double::valueOf))
                .map(Figures::number));
    add(
        "owners: committed / used then, beside HotSpot's own metaspace",
        ofAll(programs, AllocatorKind.ELASTIC, committed)
            .map(figures -> Median.of(figures, Double::valueOf))
            .map(Figures::number),
        List.of(
            ofAll(programs, AllocatorKind.HOTSPOT, committed)
                .map(figures -> Median.of(figures, Double::valueOf))
                .map(Figures::number),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
    row(
        "owners: all allocations and frees of these programs, ms",
        kind ->
            ofAll(programs, kind, result -> Optional.ofNullable(result.wallNanos()))
                .map(nanos -> nanos.stream().mapToLong(Long::longValue).sum())
                .map(Figures::millis));
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

  private void row(String what, Function<AllocatorKind, Optional<String>> figure) {
    add(
        what,
        figure.apply(AllocatorKind.ELASTIC),
        List.of(
            figure.apply(AllocatorKind.JDK_CONFINED),
            Optional.empty(),
            figure.apply(AllocatorKind.MALLOC),
            figure.apply(AllocatorKind.JEMALLOC),
            figure.apply(AllocatorKind.MIMALLOC)));
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
        .ifPresent(pooled -> {
          Function<Factory, Optional<String>> other =
              factory ->
                  confined
                      .result(ours.with(factory))
                      .map(result ->
                          figure(
                              new Comparison(
                                  result.nanosPerOperation(),
                                  result.errorNanos(),
                                  pooled.nanosPerOperation(),
                                  pooled.errorNanos())));
          add(
              what,
              Optional.of(Figures.number(pooled.nanosPerOperation())),
              List.of(
                  other.apply(Factory.JDK),
                  Optional.empty(),
                  other.apply(Factory.MALLOC),
                  Optional.empty(),
                  Optional.empty()));
        });
  }

  private static String figure(Comparison other) {
    return Figures.number(other.value()) + (other.isWithinError() ? NO_DIFFERENCE : "");
  }

  private void churn(ChurnMeasurement churn) {
    Function<PeerKind, Optional<Double>> kept =
        kind -> churn.find(kind, THREADS).map(result -> result.mostResidentPerLive());
    Function<PeerKind, Optional<Double>> nanos =
        kind -> churn.find(kind, THREADS).map(result -> result.nanosPerOperation());
    peers("buffers: resident / live, highest", kept, Figures::number);
    peers("buffers: ns an operation", nanos, Figures::number);
  }

  private void peers(
      String what,
      Function<PeerKind, Optional<Double>> figure,
      Function<Double, String> presentation) {
    add(
        what,
        figure.apply(PeerKind.ARENAL).map(presentation),
        List.of(
            Optional.empty(),
            figure.apply(PeerKind.NETTY_ADAPTIVE).map(presentation),
            figure.apply(PeerKind.MALLOC).map(presentation),
            figure.apply(PeerKind.JEMALLOC).map(presentation),
            figure.apply(PeerKind.MIMALLOC).map(presentation)));
  }

  private void burst(BurstMeasurement burst) {
    Function<PeerKind, Optional<Double>> left =
        kind ->
            burst
                .find(kind, THREADS, false)
                .map(result -> result.idleShare(burst.plan().burstBytes()));
    peers("a burst: left after 15 s, by default", left, Figures::tenths);
    add(
        "a burst: the same, told to give back after 1 s",
        left.apply(PeerKind.ARENAL_SHORT).map(Figures::tenths),
        List.of(
            Optional.empty(),
            Optional.empty(),
            left.apply(PeerKind.MALLOC_TRIM).map(Figures::tenths),
            left.apply(PeerKind.JEMALLOC_DECAY).map(Figures::tenths),
            Optional.empty()));
  }

  private void proxy(ProxyMeasurement proxy) {
    arms(
        "a Netty proxy: left after %d s of quiet, of the peak's buffers"
            .formatted(proxy.plan().idle().toSeconds()),
        arm -> proxy.find(arm).map(ProxyResult::idleShare),
        Figures::tenths);
    arms(
        "a Netty proxy: clients lost in a small container",
        arm ->
            proxy
                .find(arm)
                .map(ProxyResult::limited)
                .map(LimitedResult::waves)
                .map(waves -> (double) waves.lostCount()),
        lost -> Figures.count(lost.longValue()));
  }

  /** Netty's default, and malloc that is told to give back: the others are not arms. */
  private void arms(
      String what,
      Function<ProxyArm, Optional<Double>> figure,
      Function<Double, String> presentation) {
    add(
        what,
        figure.apply(ProxyArm.ARENAL).map(presentation),
        List.of(
            Optional.empty(),
            figure.apply(ProxyArm.NETTY_ADAPTIVE).map(presentation),
            figure.apply(ProxyArm.MALLOC_TRIM).map(presentation),
            Optional.empty(),
            Optional.empty()));
  }

  private void pretouch(PretouchMeasurement pretouch, boolean isHuge) {
    List<PretouchResult> results =
        pretouch.of(pretouch.largestBytes()).stream()
            .filter(result -> result.touchSeconds() != null)
            .filter(result -> result.subject().hugePages() == isHuge)
            .toList();
    add(
        Figures.format(
            "a start: %.0f GiB made resident, %s pages, s",
            (double) pretouch.largestBytes() / (1L << 30), isHuge ? "huge" : "4 KiB"),
        fastest(
            results, subject -> subject.kind() == Kind.ARENAL && subject.method() != Method.TOUCH),
        List.of(
            fastest(
                results,
                subject ->
                    subject.collector() != null && subject.collector().label().equals(COLLECTOR)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  private static Optional<String> fastest(
      List<PretouchResult> results, Predicate<PretouchSubject> which) {
    return results.stream()
        .filter(result -> which.test(result.subject()))
        .map(result -> Objects.requireNonNull(result.touchSeconds()))
        .min(Double::compare)
        .map(seconds -> Figures.format("%.2f", seconds));
  }

  /** Without a figure of ours there is nothing to compare. */
  private void add(String what, Optional<String> ours, List<Optional<String>> others) {
    if (ours.isEmpty()) {
      return;
    }
    isEmpty = false;
    Stream<String> cells = others.stream().map(figure -> figure.orElse(Figures.NONE));
    table.row(Stream.concat(Stream.of(what, ours.get()), cells).toList());
  }
}
