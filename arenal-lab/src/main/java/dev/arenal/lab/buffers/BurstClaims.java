package dev.arenal.lab.buffers;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.result.Claim;
import java.util.ArrayList;
import java.util.List;

/** The claims about the page allocator after a burst, checked against the figures. */
public final class BurstClaims {
  /** Most that may stay of a burst when nothing of it is live. */
  public static final double MOST_IDLE_SHARE = 0.05;

  /** Most that may stay of a burst beside its survivors. */
  public static final double MOST_SHARE_BESIDE_SURVIVORS = 0.15;

  private static final double BYTES_PER_MIB = 1 << 20;

  private BurstClaims() {}

  /** Claims of which there are figures. */
  public static List<Claim> of(BurstMeasurement measurement) {
    List<Claim> claims = new ArrayList<>();
    for (boolean hasSurvivors : measurement.plan().survivors()) {
      for (int threadCount : measurement.plan().threads()) {
        measurement
            .find(PeerKind.ARENAL_SHORT, threadCount, hasSurvivors)
            .ifPresent(result -> claims.add(of(measurement.plan(), result)));
      }
    }
    return claims;
  }

  /** For each number of threads, where rivals keep as little as ours or less. */
  public static List<String> rivals(BurstMeasurement measurement) {
    List<String> sentences = new ArrayList<>();
    for (int threadCount : measurement.plan().threads()) {
      Rivals rivals = new Rivals(ourKind(measurement), threadCount);
      for (boolean hasSurvivors : measurement.plan().survivors()) {
        measurement
            .find(ourKind(measurement), threadCount, hasSurvivors)
            .ifPresent(ours -> {
              List<BurstResult> all = measurement.of(threadCount, hasSurvivors);
              String beside = hasSurvivors ? " beside survivors" : "";
              var _ =
                  rivals.in(
                      "MiB kept when idle" + beside,
                      ours,
                      all,
                      BurstClaims::mebibytesKept,
                      "%,.0f");
            });
      }
      sentences.addAll(rivals.sentence());
    }
    return sentences;
  }

  private static double mebibytesKept(BurstResult result) {
    return result.idleBytes() / BYTES_PER_MIB;
  }

  /** The same in all rows. */
  private static PeerKind ourKind(BurstMeasurement measurement) {
    boolean isShort =
        measurement.results().stream().anyMatch(result -> result.kind() == PeerKind.ARENAL_SHORT);
    return isShort ? PeerKind.ARENAL_SHORT : PeerKind.ARENAL;
  }

  private static Claim of(BurstPlan plan, BurstResult result) {
    double most = result.hasSurvivors() ? MOST_SHARE_BESIDE_SURVIVORS : MOST_IDLE_SHARE;
    double share = result.mostIdleShare(plan.burstBytes());
    return new Claim(
        (result.hasSurvivors() ? "idle beside survivors, " : "idle, ")
            + Figures.threads(result.threadCount()),
        "<= %s of the burst".formatted(Figures.percent(most)),
        Figures.judgedShare(share, most),
        share <= most);
  }
}
