package dev.arenal.lab.pretouch;

import dev.arenal.lab.pretouch.PretouchSample.Heap;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What all runs of a subject at one size have shown; figures are medians.
 *
 * @param subject who
 * @param sizeBytes of the heap or of the memory
 * @param samples at least one
 */
public record PretouchResult(
    PretouchSubject subject, long sizeBytes, List<PretouchSample> samples) {
  private static final double GIB = 1 << 30;

  /** Keeps a copy. */
  public PretouchResult {
    samples = List.copyOf(samples);
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("result without a run: subject=" + subject.label());
    }
  }

  public double wallSeconds() {
    return median(PretouchSample::wallSeconds);
  }

  public double userSeconds() {
    return median(PretouchSample::userSeconds);
  }

  public double systemSeconds() {
    return median(PretouchSample::systemSeconds);
  }

  public long residentBytes() {
    return (long) median(PretouchSample::residentBytes);
  }

  public long hugeBytes() {
    return (long) median(PretouchSample::hugeBytes);
  }

  /** Wall time of the fastest run. */
  public double leastSeconds() {
    return samples.stream().mapToDouble(PretouchSample::wallSeconds).min().orElseThrow();
  }

  /** Wall time of the slowest run. */
  public double mostSeconds() {
    return samples.stream().mapToDouble(PretouchSample::wallSeconds).max().orElseThrow();
  }

  /** What only a JVM has; null of others. */
  public @Nullable Heap heap() {
    List<Heap> heaps = samples.stream().map(PretouchSample::heap).filter(Objects::nonNull).toList();
    if (heaps.isEmpty()) {
      return null;
    }
    return new Heap(
        median(heaps, Heap::freeBytes),
        median(heaps, Heap::heapBytes),
        median(heaps.stream().mapToDouble(Heap::totalSeconds).toArray()));
  }

  /** What the first use of Arenal took before; null of others. */
  public @Nullable Double firstUseSeconds() {
    double[] seconds =
        samples.stream()
            .map(PretouchSample::firstUseSeconds)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .toArray();
    return seconds.length == 0 ? null : (Double) median(seconds);
  }

  public double gibibytes() {
    return sizeBytes / GIB;
  }

  private double median(ToDoubleFunction<PretouchSample> figure) {
    return median(samples.stream().mapToDouble(figure).toArray());
  }

  private static long median(List<Heap> heaps, ToLongFunction<Heap> figure) {
    return (long) median(heaps.stream().mapToDouble(figure::applyAsLong).toArray());
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
