package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.proxy.LoadResult;
import dev.arenal.lab.proxy.ProxyClaims;
import dev.arenal.lab.proxy.ProxyMeasurement;
import dev.arenal.lab.proxy.ProxyPlan;
import dev.arenal.lab.proxy.ProxyPoint;
import dev.arenal.lab.proxy.ProxyResult;
import dev.arenal.lab.proxy.WavesResult;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A proxy as a section of the report. */
public record ProxySection(ProxyMeasurement measurement) {
  private static final String NAME = "proxy";
  private static final String RESIDENT = "MiB resident";
  private static final String WAITING = "MiB waiting";
  private static final int KILLED = 137;

  /** Everything there is to show about these figures. */
  public static Section of(ProxyMeasurement measurement) {
    ProxySection section = new ProxySection(measurement);
    List<String> findings = section.findings();
    return new Section(
        NAME,
        "A Netty proxy with slow clients",
        findings.isEmpty() ? "" : findings.getFirst(),
        Json.tree(measurement),
        section.parts(),
        findings,
        measurement.failures());
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    idle().ifPresent(findings::add);
    load().ifPresent(findings::add);
    limited().ifPresent(findings::add);
    findings.addAll(Claims.sentence("Proxy", ProxyClaims.of(measurement)));
    return findings;
  }

  /** Ours first, then the others. */
  private Optional<String> idle() {
    List<ProxyResult> shown =
        measurement.results().stream().filter(result -> result.idleShare() != null).toList();
    String ours = idleShares(shown, true);
    String theirs = idleShares(shown, false);
    return ours.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("After a wave of %s slow clients, with 2 %% of them still connected, the proxy keeps"
                    + " %s of the peak's buffers%s.")
                .formatted(
                    Figures.count(measurement.plan().clientCount()),
                    ours,
                    theirs.isEmpty() ? "" : "; others keep " + theirs));
  }

  private static String idleShares(List<ProxyResult> results, boolean isArenal) {
    return results.stream()
        .filter(result -> result.arm().isArenal() == isArenal)
        .map(result ->
            "%s (%s)".formatted(Figures.percent(result.idleShare()), result.arm().label()))
        .collect(Collectors.joining(", "));
  }

  private Optional<String> load() {
    List<ProxyResult> shown =
        measurement.results().stream().filter(result -> result.load() != null).toList();
    return shown.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "At full load requests a second and p99.9 at a fixed rate are %s."
                .formatted(
                    shown.stream()
                        .map(result ->
                            "%s and %s µs (%s)"
                                .formatted(
                                    Figures.format("%,.0f", result.requestsPerSecond()),
                                    micros(result.p999Micros()),
                                    result.arm().label()))
                        .collect(Collectors.joining(", "))));
  }

  /** The arms that serve all clients and those that do not, in their order. */
  private Optional<String> limited() {
    List<ProxyResult> shown =
        measurement.results().stream().filter(result -> result.limited() != null).toList();
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    if (measurement.plan().runCount() > 1) {
      return Optional.of(
          "In a control group of %s MiB all clients are served in so many of %d runs: %s."
              .formatted(
                  Figures.wholeMebibytes(limitBytes(shown)),
                  measurement.plan().runCount(),
                  shown.stream()
                      .map(result -> "%s %d".formatted(result.arm().label(), wholeCount(result)))
                      .collect(Collectors.joining(", "))));
    }
    String whole = labels(shown.stream().filter(result -> wholeCount(result) == 1));
    String others =
        shown.stream()
            .filter(result -> wholeCount(result) == 0)
            .map(result -> "%s (%s)".formatted(result.arm().label(), loss(waves(result))))
            .collect(Collectors.joining(", "));
    return Optional.of(
        "In a control group of %s MiB %s%s."
            .formatted(
                Figures.wholeMebibytes(limitBytes(shown)),
                whole.isEmpty() ? "none serves all clients" : "these serve all clients: " + whole,
                others.isEmpty() ? "" : "; these do not: " + others));
  }

  private static String labels(Stream<ProxyResult> results) {
    return results.map(result -> result.arm().label()).collect(Collectors.joining(", "));
  }

  private static String loss(WavesResult waves) {
    return waves.exitCode() == null ? Figures.count(waves.lostCount()) + " lost" : end(waves);
  }

  private static WavesResult waves(ProxyResult result) {
    return Objects.requireNonNull(result.limited()).waves();
  }

  private static int wholeCount(ProxyResult result) {
    return Objects.requireNonNull(result.limited()).wholeCount();
  }

  private static long limitBytes(List<ProxyResult> results) {
    return Objects.requireNonNull(results.getFirst().limited()).limitBytes();
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    List<ProxyResult> results = measurement.results();
    ProxyPlan plan = measurement.plan();
    if (!results.isEmpty()) {
      WavesResult first = results.getFirst().waves();
      parts.add(
          new Part.Facts(
              NAME,
              ("two waves of %s clients, %s a response in pieces of %s, %s quiet between them; "
                      + "%s, %s")
                  .formatted(
                      Figures.count(plan.clientCount()),
                      Figures.size(plan.responseBytes()),
                      Figures.size(plan.pieceBytes()),
                      PeerWords.delay(plan.idle()),
                      first.library(),
                      first.transport())));
      parts.add(
          new Part.Explanation(
              "An ordinary Netty proxy; the arms differ only in the allocator of its"
                  + " channels, and arenal-agent only by a flag of the JVM. Data from the origin"
                  + " waits in the proxy until the client takes it. Then all clients leave except"
                  + " one in fifty, which stays with its data still waiting; after a quiet period a"
                  + " second wave comes. Arenal's delay is in the table. Its default is five"
                  + " minutes, with which it would keep the memory of the first wave for the second"
                  + " one. The origin sends in pieces of %s. That size determines how much of its"
                      .formatted(Figures.size(plan.pieceBytes()))
                  + " pool Netty keeps: other pieces (--piece) have other figures."));
    }
    measurement.notes().forEach(note -> parts.add(new Part.SmallPrint(note + ".")));
    if (results.isEmpty()) {
      return parts;
    }
    parts.add(chart("Resident through two waves", "without a limit", results, ProxyResult::waves));
    parts.add(memory());
    parts.add(
        new Part.SmallPrint(
            "Resident: anonymous and shared memory of the proxy's process as the kernel"
                + " counts it, minus its value before the first wave. Waiting: bytes that had come"
                + " from the origin and that the kernel had not yet taken for a client. Idle: at"
                + " the end of the quiet; its share is that of the bytes that waited at the peak."
                + " Delay: how long free memory is kept, where there is such a setting."));
    if (measurement.plan().runCount() > 1) {
      parts.add(
          new Part.SmallPrint(
              ("%d runs of each arm, by turns. The row and its curve show the run with the median"
                      + " share at the end of the quiet; least to most is of all runs.")
                  .formatted(measurement.plan().runCount())));
    }
    loadParts(parts);
    limitedParts(parts);
    parts.addAll(Claims.parts("Claims", ProxyClaims.of(measurement)));
    return parts;
  }

  private Table memory() {
    Table.Of<ProxyResult> table =
        Table.of(measurement.results())
            .column("arm", result -> result.arm().label())
            .column("delay", result -> PeerWords.delay(result.delay()))
            .column(RESIDENT, "peak", result -> Figures.wholeMebibytes(result.peakResidentBytes()))
            .column(RESIDENT, "idle", result -> Figures.wholeMebibytes(result.idleResidentBytes()))
            .column(
                RESIDENT,
                "second peak",
                result -> Figures.wholeMebibytes(result.secondPeakResidentBytes()))
            .column(WAITING, "peak", result -> Figures.wholeMebibytes(result.peakWaitingBytes()))
            .column(WAITING, "idle", result -> waiting(result.waves().idle()))
            .column(WAITING, "second peak", result -> waiting(result.waves().secondPeak()))
            .column("idle of the peak's buffers", result -> Figures.percent(result.idleShare()));
    if (measurement.plan().runCount() > 1) {
      table = table.column("idle: least to most", ProxySection::spread);
    }
    return table
        .column("clients lost", result -> Figures.count(result.waves().lostCount()))
        .table();
  }

  /** Of all runs. */
  private static String spread(ProxyResult result) {
    List<Double> shares = result.idleShares();
    return shares.isEmpty()
        ? Figures.NONE
        : "%s to %s".formatted(Figures.tenths(shares.getFirst()), Figures.tenths(shares.getLast()));
  }

  private static String waiting(@Nullable ProxyPoint point) {
    return Figures.wholeMebibytes(point == null ? null : (Long) point.waitingBytes());
  }

  private void loadParts(List<Part> parts) {
    List<LoadResult> loads =
        measurement.results().stream()
            .map(ProxyResult::load)
            .filter(Objects::nonNull)
            .map(Objects::requireNonNull)
            .toList();
    if (loads.isEmpty()) {
      return;
    }
    parts.add(new Part.Heading("Full load"));
    parts.add(
        Table.of(loads)
            .column("arm", load -> load.arm().label())
            .column("requests/s", load -> Figures.format("%,.0f", load.requestsPerSecond()))
            .column("fixed rate", load -> Figures.format("%,.0f", load.ratePerSecond()))
            .column("µs at that rate", "median", load -> micros(load.medianMicros()))
            .column("µs at that rate", "p99", load -> micros(load.p99Micros()))
            .column("µs at that rate", "p99.9", load -> micros(load.p999Micros()))
            .table());
    parts.add(
        new Part.SmallPrint(
            "Responses of 512 B, 4, 16 and 64 KiB by turns over 64 connections; clients and"
                + " origin run on the same processors. Requests a second: each client asks again as"
                + " soon as it is served. Times: at a fixed rate, half of that of the slowest arm,"
                + " the same for all; they count from the moment at which a request was due, so a"
                + " pause is in the times of all requests that it has delayed. "
                + rounds(measurement.plan().roundCount())));
  }

  private static String rounds(int count) {
    return count == 1
        ? "One round, each arm in a process of its own."
        : ("Medians of %d rounds in which the arms took turns, each time in processes of their"
                + " own.")
            .formatted(count);
  }

  private void limitedParts(List<Part> parts) {
    List<ProxyResult> limited =
        measurement.results().stream().filter(result -> result.limited() != null).toList();
    if (limited.isEmpty()) {
      return;
    }
    long limitBytes = limitBytes(limited);
    parts.add(
        new Part.Heading(
            "In a control group of %s MiB".formatted(Figures.wholeMebibytes(limitBytes))));
    parts.add(
        chart(
            "Resident in the control group",
            "limit %s MiB, with the JVM".formatted(Figures.wholeMebibytes(limitBytes)),
            limited,
            ProxySection::waves));
    boolean isRepeated = measurement.plan().runCount() > 1;
    Table.Of<ProxyResult> table =
        Table.of(limited)
            .column("arm", result -> result.arm().label())
            .words("at the end", result -> end(waves(result)))
            .column("seconds", result -> seconds(waves(result)))
            .column("clients served", result -> Figures.count(waves(result).servedCount()))
            .column("lost", result -> Figures.count(waves(result).lostCount()))
            .column(
                "MiB of the process at most",
                result -> Figures.wholeMebibytes(waves(result).peakProcessBytes()));
    if (isRepeated) {
      table = table.column("runs without a loss", result -> Figures.count(wholeCount(result)));
    }
    parts.add(table.table());
    if (isRepeated) {
      parts.add(
          new Part.SmallPrint(
              "%d runs of each arm. The row shows the run with the median number of lost clients."
                  .formatted(measurement.plan().runCount())));
    }
    parts.add(
        new Part.SmallPrint(
            "The limit is 60 % of the highest resident size of the process with"
                + " netty-adaptive, plus one Java heap of the service, 256 MiB; real containers may"
                + " have more or less. The waves are the same; the kernel kills a process that"
                + " needs more. Seconds: its lifetime from the first client on."));
  }

  private static String end(WavesResult waves) {
    Integer exitCode = waves.exitCode();
    if (exitCode == null) {
      return "serves";
    }
    return exitCode == KILLED ? "killed" : "ended with " + exitCode;
  }

  private static String seconds(WavesResult waves) {
    return waves.points().isEmpty()
        ? Figures.NONE
        : Figures.format("%.0f", waves.points().getLast().seconds());
  }

  private static String micros(@Nullable Double micros) {
    return micros == null || micros == 0 ? Figures.NONE : Figures.format("%,.0f", micros);
  }

  private LineChart chart(
      String title,
      String subtitle,
      List<ProxyResult> results,
      Function<ProxyResult, WavesResult> waves) {
    LineChart.Builder chart =
        LineChart.of(title)
            .subtitle(subtitle)
            .xAxis("s")
            .group(NAME)
            // Charts that are compared share a scale.
            .scaleUpToBytes(
                measurement.results().stream()
                    .flatMap(result -> result.waves().points().stream())
                    .mapToLong(ProxyPoint::residentBytes)
                    .max()
                    .orElse(0));
    for (ProxyResult result : results) {
      chart.series(
          result.arm().label(),
          AllocatorStyle.of(result.arm()),
          waves.apply(result).points(),
          ProxyPoint::seconds,
          ProxyPoint::residentBytes);
    }
    return chart.chart();
  }
}
