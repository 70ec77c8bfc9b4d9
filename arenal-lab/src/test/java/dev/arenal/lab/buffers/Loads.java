package dev.arenal.lab.buffers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Made-up results of loads. */
public final class Loads {
  private static final long MIB = 1 << 20;

  private Loads() {}

  /** A churn whose resident size over live is the given one in each of its quarters. */
  public static ChurnResult churn(
      PeerKind kind, int threadCount, double nanosPerOperation, double... ratios) {
    List<ChurnPoint> points = new ArrayList<>();
    int last = ratios.length - 1;
    for (int i = 0; i <= last; i++) {
      long operation = 1000L * i / last;
      points.add(
          new ChurnPoint(
              operation,
              100 * MIB,
              (long) (100 * MIB * ratios[i]),
              (long) (operation * nanosPerOperation)));
    }
    return new ChurnResult(
        kind,
        kind.label() + " 1.0",
        threadCount,
        ChurnResult.nanosPerOperation(points),
        ChurnResult.medianNanosPerOperation(points),
        points,
        50 * MIB,
        null,
        delay(kind),
        (long) (nanosPerOperation * 10),
        0.333,
        7L,
        threadCount == 1 ? null : 81.5,
        List.of());
  }

  private static @Nullable Duration delay(PeerKind kind) {
    return switch (kind) {
      case ARENAL -> Duration.ofMinutes(5);
      case ARENAL_SHORT, MALLOC_TRIM -> Duration.ofMillis(500);
      default -> null;
    };
  }

  /** Arenal, both of Netty's and malloc with one thread and with 16. */
  public static ChurnMeasurement churns() {
    ChurnPlan plan =
        new ChurnPlan(
            List.of(
                PeerKind.ARENAL, PeerKind.NETTY_ADAPTIVE, PeerKind.NETTY_POOLED, PeerKind.MALLOC),
            List.of(1, 16),
            1000,
            1,
            100 * MIB,
            BufferSizes.USUAL,
            List.of("jemalloc is left out: none here"));
    return new ChurnMeasurement(
        plan,
        List.of(
            churn(PeerKind.ARENAL, 1, 200, 1, 1.1, 1.11, 1.12, 1.12),
            churn(PeerKind.NETTY_ADAPTIVE, 1, 400, 1, 1.5, 1.6, 1.7, 1.75),
            churn(PeerKind.NETTY_POOLED, 1, 500, 1, 2, 3, 4, 4.9),
            churn(PeerKind.MALLOC, 1, 300, 1, 1.2, 1.3, 1.35, 1.37),
            churn(PeerKind.ARENAL, 16, 250, 1, 1.1, 1.2, 1.3, 1.4),
            churn(PeerKind.NETTY_ADAPTIVE, 16, 240, 1, 2, 2.2, 2.4, 2.5)),
        List.of(churn(PeerKind.NONE, 1, 100, 0, 0), churn(PeerKind.NONE, 16, 120, 0, 0)),
        List.of("churn died: allocator=malloc, threads=16"));
  }

  /** Arenal with two threads, run twice. */
  public static ChurnMeasurement churnsOfTwoRuns() {
    ChurnPlan plan =
        new ChurnPlan(
            List.of(PeerKind.ARENAL), List.of(2), 1000, 2, 100 * MIB, BufferSizes.USUAL, List.of());
    ChurnResult both =
        ChurnResult.ofRuns(
            List.of(
                churn(PeerKind.ARENAL, 2, 200, 1, 1.1, 1.11, 1.12, 1.12),
                churn(PeerKind.ARENAL, 2, 300, 1, 1.1, 1.3, 1.3, 1.3)));
    return new ChurnMeasurement(plan, List.of(both), List.of(), List.of());
  }

  /** A burst of a GiB that went up, stayed and came down to the last figure. */
  public static BurstResult burst(
      PeerKind kind, int threadCount, long survivorMib, long... residentMib) {
    List<BurstPoint> points = new ArrayList<>();
    for (int i = 0; i < residentMib.length; i++) {
      points.add(new BurstPoint(i * 0.5, residentMib[i] * MIB));
    }
    return new BurstResult(
        kind,
        kind.label() + " 1.0",
        threadCount,
        survivorMib > 0,
        points,
        survivorMib * MIB,
        kind.isArenal() ? (survivorMib + 1) * MIB : null,
        delay(kind),
        700L,
        1,
        List.of());
  }

  /** Arenal, which reaches one claim of two, and malloc, trimmed or not. */
  public static BurstMeasurement bursts() {
    BurstPlan plan =
        new BurstPlan(
            List.of(PeerKind.ARENAL, PeerKind.ARENAL_SHORT, PeerKind.MALLOC, PeerKind.MALLOC_TRIM),
            List.of(2),
            BurstPlan.BOTH,
            1,
            1 << 30,
            Duration.ofSeconds(15),
            Duration.ofMillis(500),
            BufferSizes.USUAL,
            List.of());
    return new BurstMeasurement(
        plan,
        List.of(
            burst(PeerKind.ARENAL, 2, 0, 0, 1060, 1050, 1050, 1050),
            burst(PeerKind.ARENAL_SHORT, 2, 0, 0, 1060, 1050, 30, 10),
            burst(PeerKind.MALLOC, 2, 0, 0, 1040, 900, 900, 900),
            burst(PeerKind.MALLOC_TRIM, 2, 0, 0, 1040, 900, 20, 0),
            burst(PeerKind.ARENAL, 2, 20, 0, 1060, 1050, 1050, 1050),
            burst(PeerKind.ARENAL_SHORT, 2, 20, 0, 1060, 1050, 300, 200),
            burst(PeerKind.MALLOC, 2, 20, 0, 1040, 1000, 1000, 1000),
            burst(PeerKind.MALLOC_TRIM, 2, 20, 0, 1040, 1000, 400, 300)),
        List.of());
  }
}
