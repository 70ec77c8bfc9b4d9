package dev.arenal.bench.tables;

import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.ConfinedClaims;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.figure.Comparison;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchResult;
import dev.arenal.lab.pretouch.PretouchSubject;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.proxy.LimitedResult;
import dev.arenal.lab.proxy.ProxyMeasurement;
import dev.arenal.lab.proxy.WavesResult;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A summary of each topic for a newcomer: the tables of README. */
final class Summaries {
  /** The allocators of traces in README, in this order, those that there are. */
  private static final Map<AllocatorKind, String> ALLOCATORS = new LinkedHashMap<>();

  /** The allocators of buffers. */
  private static final Map<PeerKind, String> PEERS = new LinkedHashMap<>();

  static {
    ALLOCATORS.put(AllocatorKind.HOTSPOT, "HotSpot, as recorded");
    ALLOCATORS.put(AllocatorKind.CLAIRVOYANT, "the bound");
    ALLOCATORS.put(AllocatorKind.ELASTIC, "Arenal");
    ALLOCATORS.put(AllocatorKind.ELASTIC_KEPT, "Arenal, free memory kept");
    ALLOCATORS.put(AllocatorKind.ELASTIC_OWNER, "Arenal, an arena an owner");
    ALLOCATORS.put(AllocatorKind.MALLOC, "malloc");
    ALLOCATORS.put(AllocatorKind.JEMALLOC, "jemalloc");
    ALLOCATORS.put(AllocatorKind.MIMALLOC, "mimalloc");
    ALLOCATORS.put(AllocatorKind.MIMALLOC_OWNER, "mimalloc, a heap an owner");
    PEERS.put(PeerKind.ARENAL, "Arenal");
    PEERS.put(PeerKind.ARENAL_SHORT, "Arenal, short delay");
    PEERS.put(PeerKind.ARENAL_ZEROED, "Arenal, zeroed");
    PEERS.put(PeerKind.NETTY_ADAPTIVE, "Netty, adaptive");
    PEERS.put(PeerKind.NETTY_POOLED, "Netty, pooled");
    PEERS.put(PeerKind.MALLOC, "malloc");
    PEERS.put(PeerKind.MALLOC_TRIM, "malloc, trimmed");
    PEERS.put(PeerKind.JEMALLOC, "jemalloc");
    PEERS.put(PeerKind.JEMALLOC_DECAY, "jemalloc, short decay");
    PEERS.put(PeerKind.MIMALLOC, "mimalloc");
  }

  private Summaries() {}

  /** The memory that each allocator keeps of each trace, and the time of a replay. */
  static String replay(List<TraceReplay> replays) {
    List<AllocatorKind> kinds =
        ALLOCATORS.keySet().stream()
            .filter(kind -> replays.stream().anyMatch(replay -> replay.find(kind).isPresent()))
            .toList();
    Table table = new Table().column("trace").column("figure");
    kinds.forEach(kind -> table.column(String.valueOf(ALLOCATORS.get(kind))));
    Map<String, Function<AllocatorReplay, String>> figures = new LinkedHashMap<>();
    figures.put(
        "committed / used, peak", result -> Figures.number(result.peak().committedPerUsed()));
    figures.put(
        "committed / used, valley",
        result -> Figures.number(of(result.valley(), Sample::committedPerUsed)));
    figures.put("replay, ms", result -> Figures.millis(result.wallNanos()));
    for (TraceReplay replay : replays) {
      String trace = replay.trace();
      for (Map.Entry<String, Function<AllocatorReplay, String>> figure : figures.entrySet()) {
        Stream<String> cells =
            kinds.stream()
                .map(kind -> replay.find(kind).map(figure.getValue()).orElse(Figures.NONE));
        table.row(Stream.concat(Stream.of(trace, figure.getKey()), cells).toList());
        trace = "";
      }
    }
    return table.markdown();
  }

  private static <T, R> @Nullable R of(@Nullable T of, Function<T, @Nullable R> figure) {
    return of == null ? null : figure.apply(of);
  }

  /** Spike and valley of each JVM. */
  static String jvm(List<JvmMeasurement> jvms) {
    return Table.of(jvms)
        .column("metaspace of a real JVM, MiB", jvm -> jvm.spec().label())
        .column("version", jvm -> jvm.spec().version())
        .column("spike: used", jvm -> mebibytes(spike(jvm), JvmPhase::usedBytes))
        .column("committed", jvm -> mebibytes(spike(jvm), JvmPhase::committedBytes))
        .column("valley: used", jvm -> mebibytes(valley(jvm), JvmPhase::usedBytes))
        .column("committed", jvm -> mebibytes(valley(jvm), JvmPhase::committedBytes))
        .column("committed / used", jvm -> Figures.number(of(valley(jvm), Summaries::ratio)))
        .column(
            "end: committed", jvm -> mebibytes(jvm.phases().getLast(), JvmPhase::committedBytes))
        .table()
        .markdown();
  }

  private static String mebibytes(@Nullable JvmPhase phase, Function<JvmPhase, Long> bytes) {
    return Figures.mebibytes(phase == null ? null : bytes.apply(phase));
  }

  private static double ratio(JvmPhase phase) {
    return (double) phase.committedBytes() / phase.usedBytes();
  }

  private static @Nullable JvmPhase valley(JvmMeasurement jvm) {
    return jvm.valleyPhase().orElse(null);
  }

  /** The phase before used first falls. */
  private static JvmPhase spike(JvmMeasurement jvm) {
    List<JvmPhase> phases = jvm.phases();
    int peak = 0;
    while (peak + 1 < phases.size()
        && phases.get(peak + 1).usedBytes() >= phases.get(peak).usedBytes()) {
      peak++;
    }
    return phases.get(peak);
  }

  /** The claimed shapes: the JDK's arena and ours. */
  static String confined(JmhMeasurement<ConfinedCell> measurement) {
    Map<String, ConfinedCell> rows = new LinkedHashMap<>();
    rows.put("5 bytes", cell(Shape.ONE, 5, false));
    rows.put("20 bytes", cell(Shape.ONE, 20, false));
    rows.put("mean", cell(Shape.ONE, 0, false));
    rows.put("100 bytes", cell(Shape.ONE, 100, false));
    rows.put("500 bytes", cell(Shape.ONE, 500, false));
    rows.put("2,000 bytes", cell(Shape.ONE, 2000, false));
    rows.put("8,000 bytes", cell(Shape.ONE, 8000, false));
    rows.put("four times 16 bytes", cell(Shape.FOUR, 16, false));
    rows.put(Shape.NONE.title(), cell(Shape.NONE, 0, false));
    rows.put("strlen of 20 characters", cell(Shape.STRLEN, 20, false));
    rows.put("20 bytes, virtual thread", cell(Shape.ONE, 20, true));
    Table table =
        new Table()
            .column("an arena, open to close")
            .column(Factory.JDK.title() + ", ns")
            .column(Factory.POOLED.title() + ", ns")
            .column("times");
    List<JmhResult<ConfinedCell>> results = measurement.results();
    rows.forEach((what, row) -> {
      boolean isMean = what.equals("mean");
      Optional<Comparison> comparison =
          isMean
              ? ConfinedClaims.comparisonOfMeans(results)
              : ConfinedClaims.comparison(results, row.shape(), row.sizeBytes(), row.isVirtual());
      comparison.ifPresent(jdk ->
          table.row(
              isMean
                  ? "mean of %d sizes, 0 to 64 bytes"
                      .formatted(ConfinedClaims.meanSizeCount(results))
                  : what,
              shown(jdk.value(), jdk.error()),
              shown(jdk.base(), jdk.baseError()),
              jdk.times("%.1f")));
    });
    return table.markdown();
  }

  /** A figure with an error larger than itself is none. */
  private static String shown(double nanos, @Nullable Double error) {
    return error != null && error > nanos ? "noise" : Figures.number(nanos);
  }

  private static ConfinedCell cell(Shape shape, int sizeBytes, boolean isVirtual) {
    return new ConfinedCell(shape, sizeBytes, isVirtual, Factory.JDK);
  }

  /** The time and the memory of buffers; either may be missing. */
  static String pages(@Nullable ChurnMeasurement churn, @Nullable BurstMeasurement burst) {
    List<PeerKind> measured = new ArrayList<>();
    if (churn != null) {
      churn.results().forEach(result -> measured.add(result.kind()));
    }
    if (burst != null) {
      burst.results().forEach(result -> measured.add(result.kind()));
    }
    List<PeerKind> kinds = PEERS.keySet().stream().filter(measured::contains).toList();
    Table table = new Table().column("figure").column("threads");
    kinds.forEach(kind -> table.column(String.valueOf(PEERS.get(kind))));
    if (churn != null) {
      List<Integer> threads = churn.plan().threads();
      rows(
          table,
          "churn: resident / live, highest",
          threads,
          kinds,
          (kind, count) ->
              churn.find(kind, count).map(result -> Figures.number(result.mostResidentPerLive())));
      rows(
          table,
          "churn: ns/operation",
          threads,
          kinds,
          (kind, count) -> Overview.churnTime(churn, kind, count));
    }
    if (burst != null) {
      for (boolean hasSurvivors : burst.plan().survivors()) {
        String what =
            hasSurvivors
                ? "the same beside a live buffer in each MiB"
                : "idle after a burst, of the burst";
        rows(
            table,
            what,
            burst.plan().threads(),
            kinds,
            (kind, count) ->
                burst
                    .find(kind, count, hasSurvivors)
                    .map(result -> Figures.tenths(result.idleShare(burst.plan().burstBytes()))));
      }
    }
    return table.markdown();
  }

  /** The rows of one figure, one for each number of threads. */
  private static void rows(
      Table table,
      String what,
      List<Integer> threads,
      List<PeerKind> kinds,
      BiFunction<PeerKind, Integer, Optional<String>> figure) {
    String first = what;
    for (int count : threads) {
      Stream<String> cells =
          kinds.stream().map(kind -> figure.apply(kind, count).orElse(Figures.NONE));
      table.row(Stream.concat(Stream.of(first, String.valueOf(count)), cells).toList());
      first = "";
    }
  }

  /** A Netty proxy: its memory at the peak and in the quiet, its speed, and the clients served. */
  static String proxy(ProxyMeasurement measurement) {
    return Table.of(measurement.results())
        .column("buffers from", result -> result.arm().label())
        .column("MiB at the peak", result -> Figures.wholeMebibytes(result.peakResidentBytes()))
        .column("MiB in the quiet", result -> Figures.wholeMebibytes(result.idleResidentBytes()))
        .column(
            "of the peak's buffers",
            result ->
                Optional.ofNullable(result.idleShare()).map(Figures::tenths).orElse(Figures.NONE))
        .column(
            "requests/s",
            result ->
                Optional.ofNullable(result.requestsPerSecond())
                    .map(requests -> Figures.count(requests.longValue()))
                    .orElse(Figures.NONE))
        .column("p99.9, µs", result -> Figures.number(result.p999Micros()))
        .column(
            measurement.plan().runCount() > 1
                ? "runs without a loss in the small group"
                : "served in the small group",
            result ->
                Optional.ofNullable(result.limited()).map(Summaries::served).orElse(Figures.NONE))
        .table()
        .markdown();
  }

  private static String served(LimitedResult limited) {
    if (limited.runCount() > 1) {
      return "%d of %d".formatted(limited.wholeCount(), limited.runCount());
    }
    WavesResult waves = limited.waves();
    return "%s of %s"
        .formatted(
            Figures.count(waves.servedCount()),
            Figures.count(waves.servedCount() + waves.lostCount()));
  }

  /** The largest size, by all threads. */
  static String pretouch(PretouchMeasurement measurement) {
    int threadCount =
        measurement.results().stream()
            .map(result -> result.subject().threadCount())
            .filter(Objects::nonNull)
            .reduce(0, Math::max);
    List<PretouchResult> shown =
        measurement.of(measurement.largestBytes()).stream()
            .filter(result -> result.touchSeconds() != null)
            .filter(result -> {
              Integer count = result.subject().threadCount();
              return count == null || count == threadCount;
            })
            .toList();
    double gib = (double) measurement.largestBytes() / (1L << 30);
    return Table.of(shown)
        .column("what, with all cores", result -> name(result.subject()))
        .column("pages", result -> result.subject().hugePages() ? "huge" : "4 KiB")
        .column(Figures.format("s for %.0f GiB", gib), result -> seconds(result, 1, "%.3f"))
        .column("s per GiB", result -> seconds(result, gib, "%.3f"))
        .column(
            "GiB/s",
            result -> Figures.format("%.1f", gib / Objects.requireNonNull(result.touchSeconds())))
        .table()
        .markdown();
  }

  private static String seconds(PretouchResult result, double divisor, String pattern) {
    return Figures.format(pattern, Objects.requireNonNull(result.touchSeconds()) / divisor);
  }

  private static String name(PretouchSubject subject) {
    if (subject.collector() != null) {
      return "AlwaysPreTouch adds: %s, %s".formatted(subject.jvm(), subject.collector().label());
    }
    if (subject.kind() == Kind.ARENAL) {
      return subject.method() == Method.TOUCH ? "Arenal, touch loop" : "**Arenal**";
    }
    return subject.method() == Method.CLEAR
        ? "the bound: clearing memory that is there"
        : "a loop in C, nothing else";
  }
}
