package dev.arenal.lab.firstuse;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.result.Claim;
import java.util.ArrayList;
import java.util.List;

/** Claims about first uses, held against the figures. */
public final class FirstUseClaims {
  /** Most that a first use may take, in times of the JDK's first arena. */
  public static final double MOST_TIMES_THE_JDK = 3;

  private FirstUseClaims() {}

  /** Those that there are figures for. */
  public static List<Claim> of(FirstUseMeasurement measurement) {
    List<Claim> claims = new ArrayList<>();
    for (boolean hasAotCache : new boolean[] {false, true}) {
      for (FirstUseSubject subject : List.of(FirstUseSubject.ELASTIC, FirstUseSubject.PAGE)) {
        measurement
            .find(subject)
            .ifPresent(result -> {
              Double times = measurement.timesTheJdk(result, hasAotCache);
              if (times != null) {
                claims.add(claim(result, times, hasAotCache));
              }
            });
      }
    }
    return claims;
  }

  private static Claim claim(FirstUseResult result, double times, boolean hasAotCache) {
    return new Claim(
        result.subject().words()
            + ", against the JDK's arena"
            + (hasAotCache ? ", with an AOT cache" : ""),
        Figures.format("<= %.1fx", MOST_TIMES_THE_JDK),
        Figures.format(
            "%sx (%.1f ms)",
            Figures.judged(times, 1, shown -> shown <= MOST_TIMES_THE_JDK),
            result.medianMillis(hasAotCache)),
        times <= MOST_TIMES_THE_JDK);
  }
}
