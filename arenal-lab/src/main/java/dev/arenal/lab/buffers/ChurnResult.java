package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Median;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one allocator stood a churn: where it was run several times, the run whose time is in the
 * middle; of two there, the faster one.
 *
 * @param kind the allocator
 * @param library its name and version
 * @param threadCount how many threads shared the work
 * @param nanosPerOperation the time of the whole churn, divided by its operations
 * @param medianNanosPerOperation the same for the slice in the middle, of those between two points
 * @param points along the way; the last one is the end
 * @param keptBytes resident when every buffer had been freed
 * @param trimmedBytes the same after the allocator was asked to give back what is free; null if it
 *     has no call for that
 * @param delay how long it was told to keep free memory, or says that it does; null if neither
 * @param p999AllocationNanos the time that one allocation in a thousand is longer than, without the
 *     first write into the buffer; null in old results
 * @param freedForOthers the share of buffers that another thread freed than took them
 * @param compilerMillis what the JVM's compilers took within the time of the churn; their memory
 *     would count as the allocator's; null in old results
 * @param roundTripNanos what a line of a cache took from one processor to another one and back, the
 *     mean of just before and just after the churn; null for one thread or one processor, and in
 *     old results
 * @param runs the figures of each run, in their order; empty where there was one
 */
public record ChurnResult(
    @JsonProperty("allocator") PeerKind kind,
    String library,
    @JsonProperty("threads") int threadCount,
    double nanosPerOperation,
    double medianNanosPerOperation,
    @JsonFormat(shape = JsonFormat.Shape.ARRAY) @JsonProperty("timeline") List<ChurnPoint> points,
    long keptBytes,
    @Nullable Long trimmedBytes,
    @JsonProperty("delaySeconds") @Nullable Duration delay,
    @Nullable Long p999AllocationNanos,
    @JsonProperty("freedByOthers") double freedForOthers,
    @Nullable Long compilerMillis,
    @Nullable Double roundTripNanos,
    List<Run> runs)
    implements PeerResult {
  /**
   * The figures of one of several runs.
   *
   * @param nanosPerOperation see {@link ChurnResult}
   * @param p999AllocationNanos the same
   * @param mostResidentPerLive the same
   * @param compilerMillis the same
   * @param roundTripNanos the same
   */
  public record Run(
      double nanosPerOperation,
      @Nullable Long p999AllocationNanos,
      double mostResidentPerLive,
      @Nullable Long compilerMillis,
      @Nullable Double roundTripNanos) {}

  /** One result of runs of the same, which are not empty. */
  static ChurnResult ofRuns(List<ChurnResult> results) {
    if (results.size() == 1) {
      return results.getFirst();
    }
    ChurnResult middle =
        Median.lower(results, Comparator.comparingDouble(ChurnResult::nanosPerOperation));
    List<Run> runs =
        results.stream()
            .map(result ->
                new Run(
                    result.nanosPerOperation,
                    result.p999AllocationNanos,
                    result.mostResidentPerLive(),
                    result.compilerMillis,
                    result.roundTripNanos))
            .toList();
    return middle.with(middle.roundTripNanos, runs);
  }

  /** The same with what was measured before and after it; either may be unknown. */
  ChurnResult between(@Nullable Double beforeNanos, @Nullable Double afterNanos) {
    return with(
        beforeNanos == null || afterNanos == null ? null : (beforeNanos + afterNanos) / 2, runs);
  }

  private ChurnResult with(@Nullable Double nanos, List<Run> ofRuns) {
    return new ChurnResult(
        kind,
        library,
        threadCount,
        nanosPerOperation,
        medianNanosPerOperation,
        points,
        keptBytes,
        trimmedBytes,
        delay,
        p999AllocationNanos,
        freedForOthers,
        compilerMillis,
        nanos,
        ofRuns);
  }

  /** The state when the last operation was done; nothing where only times are known. */
  public ChurnPoint end() {
    return points.isEmpty() ? new ChurnPoint(0, 0, 0, 0) : points.getLast();
  }

  static double nanosPerOperation(List<ChurnPoint> points) {
    return (double) points.getLast().nanos() / Math.max(1, points.getLast().operation());
  }

  static double medianNanosPerOperation(List<ChurnPoint> points) {
    List<Double> slices = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      long operations = points.get(i).operation() - points.get(i - 1).operation();
      if (operations > 0) {
        slices.add((double) (points.get(i).nanos() - points.get(i - 1).nanos()) / operations);
      }
    }
    return slices.isEmpty()
        ? nanosPerOperation(points)
        : Median.lower(slices, Comparator.naturalOrder());
  }

  /** The sum of the live buffers at the end. */
  @JsonProperty
  public long liveBytes() {
    return end().liveBytes();
  }

  /** Resident at the end. */
  @JsonProperty
  public long residentBytes() {
    return end().residentBytes();
  }

  /** Operations in a second. */
  public double operationsPerSecond() {
    return 1e9 / nanosPerOperation();
  }

  /** Resident over live at the end. */
  public double residentPerLive() {
    return ratio(end());
  }

  /** Resident over live where it is highest, of all runs. */
  @JsonProperty
  public double mostResidentPerLive() {
    return runs.isEmpty()
        ? points.stream().mapToDouble(ChurnResult::ratio).max().orElse(0)
        : runs.stream().mapToDouble(Run::mostResidentPerLive).max().orElse(0);
  }

  /** The time of an operation in the fastest run. */
  public double leastNanosPerOperation() {
    return runs.stream().mapToDouble(Run::nanosPerOperation).min().orElse(nanosPerOperation);
  }

  /** The time of an operation in the slowest run. */
  public double mostNanosPerOperation() {
    return runs.stream().mapToDouble(Run::nanosPerOperation).max().orElse(nanosPerOperation);
  }

  /** Whether some run of one was as fast as some run of the other; false of single runs. */
  public boolean isAsFastAs(ChurnResult other) {
    return !runs.isEmpty()
        && !other.runs.isEmpty()
        && leastNanosPerOperation() <= other.mostNanosPerOperation()
        && other.leastNanosPerOperation() <= mostNanosPerOperation();
  }

  /** Resident over live, on average over a part of the way: 0 is the begin, 1 the end. */
  public double meanResidentPerLive(double from, double to) {
    double operations = (double) end().operation();
    return points.stream()
        .filter(
            point -> point.operation() >= from * operations && point.operation() <= to * operations)
        .mapToDouble(ChurnResult::ratio)
        .average()
        .orElse(residentPerLive());
  }

  private static double ratio(ChurnPoint point) {
    return (double) point.residentBytes() / Math.max(1, point.liveBytes());
  }
}
