package dev.arenal.lab.pretouch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all runs.
 *
 * @param plan what was to be measured
 * @param results by size, in the order of the subjects, without those that failed
 * @param refusal null if it was not tried
 * @param notes what is good to know: sizes and subjects left out, what JVMs have said
 * @param failures what went wrong, each a whole message
 */
@JsonIgnoreProperties(
    value = {"failures", "notes"},
    allowSetters = true)
public record PretouchMeasurement(
    @JsonUnwrapped PretouchPlan plan,
    List<PretouchResult> results,
    @Nullable Refusal refusal,
    List<String> notes,
    List<String> failures) {
  /** The largest size that was measured; 0 if there is none. */
  public long largestBytes() {
    return results.stream().mapToLong(PretouchResult::sizeBytes).max().orElse(0);
  }

  /** All of one size. */
  public List<PretouchResult> of(long sizeBytes) {
    return results.stream().filter(result -> result.sizeBytes() == sizeBytes).toList();
  }

  /** One of them. */
  public Optional<PretouchResult> find(PretouchSubject subject, long sizeBytes) {
    return of(sizeBytes).stream().filter(result -> result.subject().equals(subject)).findFirst();
  }
}
