package dev.arenal.lab.jvm;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one JVM under the workload; if the JVM died, the figures up to that moment.
 *
 * @param spec which JVM
 * @param flags all flags it was run with
 * @param heapBytes its heap, resident from the start
 * @param seconds from the first event of the workload to the last
 * @param phases in their order
 * @param timeline ten points a second
 * @param valley what its own report says at the valley; null if it did not get there
 * @param reportText that report as people read it, empty if there is none
 * @param notes what the JVM complained of, and what is to be known about the figures
 * @param failure what went wrong, a whole message; null if nothing did
 */
public record JvmMeasurement(
    @JsonUnwrapped JvmSpec spec,
    String flags,
    long heapBytes,
    double seconds,
    List<JvmPhase> phases,
    @JsonFormat(shape = JsonFormat.Shape.ARRAY) List<JvmPoint> timeline,
    @Nullable Valley valley,
    @JsonProperty("report") String reportText,
    List<String> notes,
    @Nullable String failure) {
  public JvmMeasurement {
    // Documents have results without it.
    reportText = Objects.requireNonNullElse(reportText, "");
    phases = List.copyOf(phases);
    timeline = List.copyOf(timeline);
    notes = List.copyOf(notes);
  }

  /** The phase of that name, if it got so far. */
  public Optional<JvmPhase> phase(String label) {
    return phases.stream().filter(phase -> phase.label().equals(label)).findFirst();
  }

  /** The phase at which all generations but one are gone for the first time. */
  public Optional<JvmPhase> valleyPhase() {
    return phase(WorkloadShape.valleyLabel());
  }
}
