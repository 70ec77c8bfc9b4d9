package dev.arenal.lab.buffers;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.result.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The claims about the page allocator under churn, checked against the figures. */
public final class ChurnClaims {
  /** Most that may be resident for a byte that is live. */
  public static final double MOST_RESIDENT_PER_LIVE = 1.25;

  /** A curve is flat if its last quarter is no higher than that above its second one. */
  public static final double MOST_GROWTH = 0.05;

  private static final double QUARTER = 0.25;
  private static final double MILLION = 1e6;

  private ChurnClaims() {}

  /** Claims of which there are figures. */
  public static List<Claim> of(ChurnMeasurement measurement) {
    List<Claim> claims = new ArrayList<>();
    for (int threadCount : measurement.plan().threads()) {
      measurement
          .find(PeerKind.ARENAL, threadCount)
          .ifPresent(arenal -> claims.addAll(of(measurement, arenal)));
    }
    return claims;
  }

  private static List<Claim> of(ChurnMeasurement measurement, ChurnResult arenal) {
    String threads = Figures.threads(arenal.threadCount());
    List<Claim> claims = new ArrayList<>();
    double most = arenal.mostResidentPerLive();
    claims.add(
        new Claim(
            "resident over live, highest, " + threads,
            "<= " + Figures.ratio(MOST_RESIDENT_PER_LIVE),
            Figures.judged(most, 2, ratio -> ratio <= MOST_RESIDENT_PER_LIVE),
            most <= MOST_RESIDENT_PER_LIVE));
    double growth = growth(arenal);
    claims.add(
        new Claim(
            "growth of it along the way, " + threads,
            "<= " + Figures.percent(MOST_GROWTH),
            Figures.judgedChange(growth, MOST_GROWTH),
            growth <= MOST_GROWTH));
    bestNetty(measurement, arenal.threadCount())
        .ifPresent(netty ->
            claims.add(
                new Claim(
                    "operations a second, " + threads,
                    Figures.format(
                        ">= %.2f M (%s)",
                        netty.operationsPerSecond() / MILLION, netty.kind().label()),
                    Figures.format(
                        "%.2f M (%sx%s)",
                        arenal.operationsPerSecond() / MILLION,
                        Figures.judged(
                            arenal.operationsPerSecond() / netty.operationsPerSecond(),
                            2,
                            ratio -> ratio >= 1),
                        byRounds(arenal, netty)),
                    arenal.operationsPerSecond() >= netty.operationsPerSecond())));
    return claims;
  }

  /** The ratio in each round; nothing unless both have the same number of runs, and several. */
  private static String byRounds(ChurnResult arenal, ChurnResult netty) {
    List<ChurnResult.Run> ours = arenal.runs();
    List<ChurnResult.Run> theirs = netty.runs();
    if (ours.isEmpty() || ours.size() != theirs.size()) {
      return "";
    }
    DoubleSummaryStatistics ratios =
        IntStream.range(0, ours.size())
            .mapToDouble(i -> theirs.get(i).nanosPerOperation() / ours.get(i).nanosPerOperation())
            .summaryStatistics();
    return Figures.format("; by rounds %.2fx to %.2fx", ratios.getMin(), ratios.getMax());
  }

  /** For each number of threads, where rivals are as good as ours or better. */
  public static List<String> rivals(ChurnMeasurement measurement) {
    List<String> sentences = new ArrayList<>();
    for (int threadCount : measurement.plan().threads()) {
      List<ChurnResult> all = measurement.of(threadCount);
      measurement
          .find(PeerKind.ARENAL, threadCount)
          .ifPresent(ours ->
              sentences.addAll(
                  new Rivals(PeerKind.ARENAL, threadCount)
                      .in(
                          "highest resident over live",
                          ours,
                          all,
                          ChurnResult::mostResidentPerLive,
                          "%.2f")
                      .in("ns an operation", ours, all, ChurnResult::nanosPerOperation, "%,.0f")
                      .in("p99.9 of an allocation, ns", ours, all, ChurnClaims::p999, "%,.0f")
                      .sentence()));
    }
    return sentences;
  }

  private static double p999(ChurnResult result) {
    Long nanos = result.p999AllocationNanos();
    return nanos == null ? Double.NaN : nanos;
  }

  /** How much higher resident over live is in the last quarter of the way than in the second. */
  public static double growth(ChurnResult result) {
    double early = result.meanResidentPerLive(QUARTER, 2 * QUARTER);
    double late = result.meanResidentPerLive(1 - QUARTER, 1);
    return late / Math.max(Double.MIN_NORMAL, early) - 1;
  }

  /** The faster one of Netty's allocators. */
  public static Optional<ChurnResult> bestNetty(ChurnMeasurement measurement, int threadCount) {
    return measurement.results().stream()
        .filter(result -> result.kind().isNetty() && result.threadCount() == threadCount)
        .min(Comparator.comparingDouble(ChurnResult::nanosPerOperation));
  }
}
