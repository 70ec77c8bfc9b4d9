package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.medium.Results;
import dev.arenal.lab.pretouch.Pretouches;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A report made up for tests, with all there can be in one: nothing in it was measured. */
final class SampleReport {
  private static final long MIB = Replays.MIB;
  private static final int SAMPLE_COUNT = 200;
  private static final long OPERATION_COUNT = 6_000_000;

  private SampleReport() {}

  /** All allocators over one trace, a trace without a valley, one that failed, and real JVMs. */
  static List<Section> sections() throws IOException {
    List<AllocatorReplay> all = new ArrayList<>();
    for (AllocatorKind kind : AllocatorKind.values()) {
      all.add(spike(kind, all.size()));
    }
    AllocatorReplay rising = Replays.replay(AllocatorKind.ELASTIC, 9_000_000L, 3 * MIB, 1 * MIB);
    AllocatorReplay flat =
        new AllocatorReplay(
            rising.kind(),
            null,
            1,
            rising.granuleBytes(),
            rising.wallNanos(),
            rising.nanosPerAllocation(),
            rising.compilerMillis(),
            rising.headerBytes(),
            rising.end(),
            null,
            null,
            rising.end(),
            rising.timeline().subList(0, 2));
    return List.of(
        ReplaySection.of(
            List.of(
                trace("by-class", all, List.of()),
                trace("no-valley.trace", List.of(flat), List.of()),
                trace("broken.trace", List.of(), List.of("broken.trace: malloc ended: exit=1")))),
        jvms(),
        ConfinedSection.of(ConfinedSectionTest.sample()),
        BuffersSection.of(BuffersSectionTest.sample(), List.of("jemalloc is left out")),
        MediumSection.of(Results.asClaimed()),
        PretouchSection.of(Pretouches.asClaimed()));
  }

  private static TraceReplay trace(
      String name, List<AllocatorReplay> results, List<String> failures) {
    return new TraceReplay(
        name,
        "25.0.3+9-LTS",
        5_965_687,
        4636,
        1150,
        OPERATION_COUNT,
        354 * MIB,
        results,
        failures,
        List.of());
  }

  /** Two spikes; the later the allocator, the less it gives back. */
  private static AllocatorReplay spike(AllocatorKind kind, int index) {
    List<Sample> timeline = new ArrayList<>();
    long most = 0;
    for (int i = 0; i <= SAMPLE_COUNT; i++) {
      long used = usedAt(i) * MIB;
      most = Math.max(most, used);
      long kept = used + (most - used) * index / AllocatorKind.values().length + 3 * MIB;
      timeline.add(
          new Sample(
              OPERATION_COUNT * i / SAMPLE_COUNT,
              used,
              kind.isJdk() ? null : (Long) kept,
              kind == AllocatorKind.HOTSPOT ? null : (Long) (kept - MIB),
              kind == AllocatorKind.HOTSPOT ? null : (Long) (2_000_000L * i * (index + 1))));
    }
    boolean isReplayed = kind.isReplayed();
    return new AllocatorReplay(
        kind,
        kind.isHeap() ? kind.label() + " 5.3.0" : null,
        isReplayed ? 3 : 0,
        4096L,
        isReplayed ? (Long) (400_000_000L + 90_000_000L * index) : null,
        isReplayed ? (Double) (67.6 + index) : null,
        isReplayed ? 0L : null,
        isReplayed ? (Long) (index * MIB) : null,
        timeline.get(80),
        timeline.get(120),
        timeline.get(180),
        timeline.getLast(),
        timeline);
  }

  private static long usedAt(int i) {
    if (i <= 80) {
      return 295L * i / 80;
    }
    if (i <= 120) {
      return 295 - 235L * (i - 80) / 40;
    }
    return i <= 180 ? 60 + 294L * (i - 120) / 60 : 354 - 353L * (i - 180) / 20;
  }

  private static Section jvms() {
    LineChart.Builder chart = LineChart.of("Committed").subtitle("stock against elastic");
    Table table = new Table().column("", "JVM").column("at the valley", "used");
    for (int jvm = 0; jvm < 4; jvm++) {
      int count = 300 + 40 * jvm;
      double[] xs = new double[count];
      double[] ys = new double[count];
      for (int i = 0; i < count; i++) {
        xs[i] = i / 10.0;
        ys[i] = (60.0 + 70 * jvm + i % 50) * MIB;
      }
      ys[100] = Double.NaN;
      chart.series("JDK " + (11 + jvm) + " a|b", SeriesStyle.ofIndex(jvm), xs, ys);
      table.row(List.of("JDK " + (11 + jvm) + " a|b", "60." + jvm));
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("jvms");
    return new Section(
        "jvm",
        "Real JVMs",
        "JDK 11 keeps 358 MiB of 69 live ones.",
        json,
        List.of(chart.marker(8, "loaded").marker(20, "released").chart(), table),
        List.of("A finding."),
        List.of());
  }
}
