package dev.arenal.lab.proxy;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.result.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The claims about a proxy with our buffers, held against the figures. */
public final class ProxyClaims {
  /** Most that may stay of the buffers of a wave when it is quiet. */
  public static final double MOST_IDLE_SHARE = 0.10;

  /** A ratio is told to a hundredth, and compared as it is told. */
  private static final double HALF_A_HUNDREDTH = 0.005;

  private ProxyClaims() {}

  /** Those that there are figures for. */
  public static List<Claim> of(ProxyMeasurement measurement) {
    List<Claim> claims = new ArrayList<>();
    for (ProxyArm arm : List.of(ProxyArm.ARENAL, ProxyArm.ARENAL_AGENT)) {
      Optional<ProxyResult> found = measurement.find(arm);
      if (found.isPresent()) {
        ProxyResult ours = found.get();
        idle(ours).ifPresent(claims::add);
        measurement
            .find(ProxyArm.NETTY_ADAPTIVE)
            .map(ProxyResult::load)
            .ifPresent(theirs -> claims.addAll(load(ours, theirs)));
        limited(ours).ifPresent(claims::add);
      }
    }
    return claims;
  }

  private static Optional<Claim> idle(ProxyResult ours) {
    List<Double> shares = ours.idleShares();
    return shares.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Claim(
                ours.arm().label() + ", resident in the quiet",
                "<= %s of the peak's buffers".formatted(Figures.percent(MOST_IDLE_SHARE)),
                Figures.judgedShare(shares.getLast(), MOST_IDLE_SHARE),
                shares.size() >= ours.runs().size() && shares.getLast() <= MOST_IDLE_SHARE));
  }

  private static List<Claim> load(ProxyResult result, LoadResult theirs) {
    LoadResult ours = result.load();
    if (ours == null) {
      return List.of();
    }
    List<Claim> claims = new ArrayList<>();
    double requests = ours.requestsPerSecond() / theirs.requestsPerSecond();
    claims.add(
        new Claim(
            result.arm().label() + ", requests a second",
            ">= 1.00x netty-adaptive",
            times(requests),
            requests >= 1 - HALF_A_HUNDREDTH));
    if (theirs.p999Micros() > 0) {
      double p999 = ours.p999Micros() / theirs.p999Micros();
      claims.add(
          new Claim(
              result.arm().label() + ", p99.9 of a request",
              "<= 1.00x netty-adaptive",
              times(p999),
              p999 <= 1 + HALF_A_HUNDREDTH));
    }
    return claims;
  }

  private static String times(double ratio) {
    return Figures.ratio(ratio) + "x";
  }

  private static Optional<Claim> limited(ProxyResult ours) {
    LimitedResult limited = ours.limited();
    if (limited == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Claim(
            ours.arm().label() + ", in the small control group",
            "serves to the end",
            limited.runCount() == 1
                ? end(limited.waves())
                : "in %d of %d runs".formatted(limited.wholeCount(), limited.runCount()),
            limited.wholeCount() == limited.runCount()));
  }

  private static String end(WavesResult waves) {
    return waves.exitCode() != null
        ? "ended with " + Objects.requireNonNull(waves.exitCode())
        : "%,d of %,d clients served"
            .formatted(waves.servedCount(), waves.servedCount() + waves.lostCount());
  }
}
