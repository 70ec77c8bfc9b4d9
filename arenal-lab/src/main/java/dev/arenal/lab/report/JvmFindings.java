package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.jvm.WorkloadShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Observations of JVMs, in plain sentences. Every word that judges is chosen by the figures, so a
 * JVM that keeps more than the stock one is said to.
 */
record JvmFindings(WorkloadShape shape, List<JvmMeasurement> measurements) {
  /** Less is within what one run differs from another. */
  private static final double EQUAL_SHARE = 0.02;

  /** A JVM that keeps no more than that gives back nearly all. */
  private static final double ELASTIC_RATIO = 1.25;

  private static final String LOADED = "cycle 1: loaded";

  /** The sentence for a reader of nothing else; empty if no JVM came to the valley. */
  String headline() {
    List<String> parts = new ArrayList<>();
    for (JvmMeasurement measurement : measurements) {
      Double ratio = JvmSection.committedPerUsed(measurement);
      if (ratio != null) {
        String times = parts.isEmpty() ? " keeps %s times what is still in use" : " %s times";
        parts.add(measurement.spec().label() + times.formatted(Figures.ratio(ratio)));
      }
    }
    if (parts.isEmpty()) {
      return "";
    }
    String released = JvmSection.released(shape);
    return Character.toUpperCase(released.charAt(0))
        + released.substring(1)
        + ", "
        + joined(parts)
        + ".";
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    if (!headline().isEmpty()) {
      sentences.add(headline());
    }
    returned().ifPresent(sentences::add);
    against("committed", JvmPhase::committedBytes).ifPresent(sentences::add);
    against("resident", JvmPhase::residentBytes).ifPresent(sentences::add);
    end().ifPresent(sentences::add);
    return sentences;
  }

  /** How much of what was released has gone back to the system. */
  private Optional<String> returned() {
    List<String> parts = new ArrayList<>();
    for (JvmMeasurement measurement : measurements) {
      JvmPhase peak = measurement.phase(LOADED).orElse(null);
      JvmPhase valley = measurement.valleyPhase().orElse(null);
      if (peak != null && valley != null && peak.usedBytes() > valley.usedBytes()) {
        double share =
            (double) (peak.committedBytes() - valley.committedBytes())
                / (peak.usedBytes() - valley.usedBytes());
        parts.add("%s %s".formatted(measurement.spec().label(), percent(share)));
      }
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Of what the released classes had used, this went back to the system: %s."
                .formatted(joined(parts)));
  }

  /** The elastic JVMs beside the stock one at the valley. */
  private Optional<String> against(String what, Function<JvmPhase, @Nullable Long> figure) {
    JvmMeasurement stock =
        measurements.stream().filter(jvm -> jvm.spec().isStock()).findFirst().orElse(null);
    Long theirs = stock == null ? null : figureAtValley(stock, figure);
    if (stock == null || theirs == null) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    for (JvmMeasurement measurement : measurements) {
      Long ours = measurement.spec().isStock() ? null : figureAtValley(measurement, figure);
      if (ours != null) {
        parts.add(
            "%s %s MiB, %s"
                .formatted(
                    measurement.spec().label(), Figures.mebibytes(ours), compared(ours, theirs)));
      }
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "There %s has %s MiB %s; %s."
                .formatted(
                    stock.spec().label(),
                    Figures.mebibytes(theirs),
                    what,
                    String.join("; ", parts)));
  }

  private static @Nullable Long figureAtValley(
      JvmMeasurement measurement, Function<JvmPhase, @Nullable Long> figure) {
    return measurement.valleyPhase().map(figure).orElse(null);
  }

  private static String compared(long ours, long theirs) {
    double share = theirs == 0 ? 0 : (double) (ours - theirs) / theirs;
    if (Math.abs(share) < EQUAL_SHARE) {
      return "about as much";
    }
    return percent(Math.abs(share)) + (share < 0 ? " less" : " more");
  }

  /** Whether this shape of loading is one that an elastic metaspace is good at. */
  private Optional<String> end() {
    List<String> good = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    for (JvmMeasurement measurement : measurements) {
      Double ratio = JvmSection.committedPerUsed(measurement);
      if (ratio != null && !measurement.spec().isStock() && hadToGive(measurement)) {
        (ratio <= ELASTIC_RATIO ? good : bad).add(measurement.spec().label());
      }
    }
    List<String> parts = new ArrayList<>();
    if (!good.isEmpty()) {
      parts.add(joined(good) + (good.size() == 1 ? " gives" : " give") + " nearly all of it back");
    }
    if (!bad.isEmpty()) {
      parts.add(joined(bad) + (bad.size() == 1 ? " holds" : " hold") + " on to unused memory");
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "With loading interleaved like this, %s.".formatted(String.join("; ", parts)));
  }

  /** Of a JVM that would keep no more if it had given nothing back, the ratio says nothing. */
  private static boolean hadToGive(JvmMeasurement measurement) {
    JvmPhase peak = measurement.phase(LOADED).orElse(null);
    JvmPhase valley = measurement.valleyPhase().orElse(null);
    return peak != null
        && valley != null
        && peak.committedBytes() > ELASTIC_RATIO * valley.usedBytes();
  }

  private static String percent(double share) {
    return Math.round(share * 100) + " %";
  }

  /** One, two and three. */
  private static String joined(List<String> parts) {
    int last = parts.size() - 1;
    return last <= 0
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }
}
