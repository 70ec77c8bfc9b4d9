package dev.arenal.lab.firstuse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all runs.
 *
 * @param plan what was to be measured
 * @param results in the order of the subjects, without those that failed
 * @param notes what is good to know, such as why there is no AOT cache
 * @param failures what went wrong, each a whole message
 */
@JsonIgnoreProperties(
    value = {"failures", "notes"},
    allowSetters = true)
public record FirstUseMeasurement(
    @JsonUnwrapped FirstUsePlan plan,
    List<FirstUseResult> results,
    List<String> notes,
    List<String> failures) {
  /** The result of a subject, if there is one. */
  public Optional<FirstUseResult> find(FirstUseSubject subject) {
    return results.stream().filter(result -> result.subject() == subject).findFirst();
  }

  /** How many times the median of the JDK's first arena a median is; null if one is missing. */
  public @Nullable Double timesTheJdk(FirstUseResult result, boolean hasAotCache) {
    Double ours = result.medianMillis(hasAotCache);
    Double jdk =
        find(FirstUseSubject.JDK_CONFINED)
            .map(found -> found.medianMillis(hasAotCache))
            .orElse(null);
    return ours == null || jdk == null ? null : (Double) (ours / jdk);
  }
}
