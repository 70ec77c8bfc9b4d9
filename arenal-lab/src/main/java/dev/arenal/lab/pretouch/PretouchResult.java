package dev.arenal.lab.pretouch;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.arenal.lab.figure.Comparison;
import dev.arenal.lab.pretouch.PretouchSample.Heap;
import dev.arenal.lab.result.Median;
import dev.arenal.lab.result.MedianError;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all runs of a subject at one size, as medians.
 *
 * @param subject what was measured
 * @param sizeBytes of the heap or of the memory
 * @param runCount at least one
 * @param leastSeconds wall time of the fastest run
 * @param mostSeconds wall time of the slowest run
 * @param hugeBytes null if the kernel does not say
 * @param firstUseSeconds what the first use of Arenal took before; null of others
 * @param touchSeconds what touching takes: of a JVM those seconds that it takes longer than
 *     without, of others all; null if nothing is touched, or there is nothing to compare with
 * @param wallErrorSeconds half of the confidence interval of the wall time; null if there are too
 *     few runs, or in older results
 * @param touchErrorSeconds the same of what touching takes; if the error without touching is not
 *     known, that of the wall time alone
 * @param freeBytes of a JVM, otherwise null: free physical memory as the program sees it
 * @param heapBytes of a JVM, otherwise null
 * @param totalSeconds of a JVM, otherwise null: from its start to its end
 */
public record PretouchResult(
    @JsonUnwrapped @JsonProperty("of") PretouchSubject subject,
    long sizeBytes,
    @JsonProperty("runs") int runCount,
    double wallSeconds,
    @JsonProperty("leastWallSeconds") double leastSeconds,
    @JsonProperty("mostWallSeconds") double mostSeconds,
    double userSeconds,
    double systemSeconds,
    long residentBytes,
    @Nullable Long hugeBytes,
    @Nullable Double firstUseSeconds,
    @Nullable Double touchSeconds,
    @Nullable Double wallErrorSeconds,
    @Nullable Double touchErrorSeconds,
    @Nullable Long freeBytes,
    @Nullable Long heapBytes,
    @Nullable Double totalSeconds) {
  private static final double GIB = 1 << 30;

  /**
   * The medians of these runs.
   *
   * @param others results of that size, among which is that of the same JVM without touching
   */
  static PretouchResult of(
      PretouchSubject subject,
      long sizeBytes,
      List<PretouchSample> samples,
      List<PretouchResult> others) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("result without a run: subject=" + subject.label());
    }
    List<Heap> heaps = samples.stream().map(PretouchSample::heap).filter(Objects::nonNull).toList();
    double wallSeconds = median(samples, PretouchSample::wallSeconds);
    Double errorSeconds =
        MedianError.of(samples.stream().map(PretouchSample::wallSeconds).toList());
    Optional<PretouchResult> untouched = untouched(subject, others);
    double hugeBytes = median(samples, sample -> (double) sample.hugeBytes());
    return new PretouchResult(
        subject,
        sizeBytes,
        samples.size(),
        wallSeconds,
        samples.stream().mapToDouble(PretouchSample::wallSeconds).min().orElseThrow(),
        samples.stream().mapToDouble(PretouchSample::wallSeconds).max().orElseThrow(),
        median(samples, PretouchSample::userSeconds),
        median(samples, PretouchSample::systemSeconds),
        (long) median(samples, sample -> (double) sample.residentBytes()),
        hugeBytes < 0 ? null : (Long) (long) hugeBytes,
        Median.of(samples, PretouchSample::firstUseSeconds),
        touchSeconds(subject, wallSeconds, untouched),
        errorSeconds,
        touchErrorSeconds(subject, errorSeconds, untouched),
        heaps.isEmpty() ? null : (Long) (long) median(heaps, heap -> (double) heap.freeBytes()),
        heaps.isEmpty() ? null : (Long) (long) median(heaps, heap -> (double) heap.heapBytes()),
        Median.of(heaps, Heap::totalSeconds));
  }

  /** The result of the same JVM that touches nothing. */
  private static Optional<PretouchResult> untouched(
      PretouchSubject subject, List<PretouchResult> others) {
    PretouchSubject untouched = subject.untouched();
    return others.stream().filter(other -> other.subject.equals(untouched)).findFirst();
  }

  private static @Nullable Double touchSeconds(
      PretouchSubject subject, double wallSeconds, Optional<PretouchResult> untouched) {
    if (!subject.pretouch()) {
      return null;
    }
    return subject.untouched() == null
        ? (Double) wallSeconds
        : untouched.map(other -> wallSeconds - other.wallSeconds).orElse(null);
  }

  private static @Nullable Double touchErrorSeconds(
      PretouchSubject subject, @Nullable Double errorSeconds, Optional<PretouchResult> untouched) {
    if (!subject.pretouch() || errorSeconds == null) {
      return null;
    }
    return subject.untouched() == null
        ? errorSeconds
        : untouched
            .map(other -> Objects.requireNonNullElse(other.wallErrorSeconds, 0.0))
            .map(other -> (Double) Math.hypot(errorSeconds, other))
            .orElse(null);
  }

  /**
   * Whether the touching of this one, so many times as long, and that of another one may take the
   * same time. An error that is not known counts as none; without any it says no.
   */
  public boolean isWithinError(double times, PretouchResult other) {
    return touchSeconds != null
        && other.touchSeconds != null
        && (touchErrorSeconds != null || other.touchErrorSeconds != null)
        && new Comparison(
                times * touchSeconds,
                touchErrorSeconds == null ? null : (Double) (times * touchErrorSeconds),
                other.touchSeconds,
                other.touchErrorSeconds)
            .isWithinError();
  }

  /** The size in GiB. */
  public double gibibytes() {
    return sizeBytes / GIB;
  }

  private static <T> double median(List<T> runs, Function<T, @Nullable Double> figure) {
    return Objects.requireNonNull(Median.of(runs, figure));
  }
}
