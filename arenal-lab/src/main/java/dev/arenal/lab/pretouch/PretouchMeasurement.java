package dev.arenal.lab.pretouch;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import java.util.List;
import java.util.Objects;
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
  private static final double GIB = 1 << 30;

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

  /**
   * How long it would take at another size: what does not grow with the size, which of a JVM is its
   * fastest start without touching, and the rest in proportion.
   */
  public double secondsAt(PretouchResult result, long sizeBytes) {
    double fixed =
        result.subject().kind() != Kind.JVM
            ? 0
            : of(result.sizeBytes()).stream()
                .filter(other -> Objects.equals(other.subject().jvm(), result.subject().jvm()))
                .mapToDouble(PretouchResult::wallSeconds)
                .min()
                .orElse(0);
    return fixed + (result.wallSeconds() - fixed) / result.gibibytes() * (sizeBytes / GIB);
  }
}
