package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Median;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * How one allocator stood a burst: where it was run several times, the run whose resident size at
 * the end is in the middle; of two there, the lower one.
 *
 * @param kind the allocator
 * @param library its name and version
 * @param threadCount how many threads shared the burst
 * @param hasSurvivors whether one buffer in each megabyte stayed
 * @param points along the way; the last one is the end of the idle time
 * @param survivorBytes the sum of the buffers that stayed
 * @param trimmedBytes resident when the allocator was asked after that to give back what is free;
 *     null if it has no call for that, and in old results
 * @param delay how long it was told to keep free memory, or says that it does; null if neither
 * @param p999AllocationNanos the time that one allocation in a thousand is longer than, without the
 *     first write into the buffer; null in old results
 * @param freedSeconds when the last buffer had been freed
 * @param runs the figures of each run, in their order; empty where there was one
 */
public record BurstResult(
    @JsonProperty("allocator") PeerKind kind,
    String library,
    @JsonProperty("threads") int threadCount,
    @JsonProperty("survivors") boolean hasSurvivors,
    @JsonFormat(shape = JsonFormat.Shape.ARRAY) @JsonProperty("timeline") List<BurstPoint> points,
    long survivorBytes,
    @Nullable Long trimmedBytes,
    @JsonProperty("delaySeconds") @Nullable Duration delay,
    @Nullable Long p999AllocationNanos,
    double freedSeconds,
    List<Run> runs)
    implements PeerResult {
  /**
   * The figures of one of several runs.
   *
   * @param peakResidentBytes see {@link BurstResult}
   * @param idleResidentBytes the same
   */
  public record Run(long peakResidentBytes, long idleResidentBytes) {}

  /** Keeps copies. In old results Arenal always had the short delay, and none is told. */
  public BurstResult {
    kind = kind == PeerKind.ARENAL && delay == null ? PeerKind.ARENAL_SHORT : kind;
    points = List.copyOf(points);
    runs = List.copyOf(runs);
  }

  /** One result of runs of the same, which are not empty. */
  static BurstResult ofRuns(List<BurstResult> results) {
    if (results.size() == 1) {
      return results.getFirst();
    }
    BurstResult middle =
        Median.lower(results, Comparator.comparingLong(BurstResult::idleResidentBytes));
    List<Run> runs =
        results.stream()
            .map(result -> new Run(result.peakResidentBytes(), result.idleResidentBytes()))
            .toList();
    return new BurstResult(
        middle.kind,
        middle.library,
        middle.threadCount,
        middle.hasSurvivors,
        middle.points,
        middle.survivorBytes,
        middle.trimmedBytes,
        middle.delay,
        middle.p999AllocationNanos,
        middle.freedSeconds,
        runs);
  }

  /** The most that was resident. */
  @JsonProperty
  public long peakResidentBytes() {
    return points.stream().mapToLong(BurstPoint::residentBytes).max().orElse(0);
  }

  /** Resident when the last buffer had just been freed. */
  @JsonProperty
  public long freedResidentBytes() {
    return points.stream()
        .filter(point -> point.seconds() >= freedSeconds)
        .findFirst()
        .orElse(points.getLast())
        .residentBytes();
  }

  /** Resident at the end of the idle time. */
  @JsonProperty
  public long idleResidentBytes() {
    return points.getLast().residentBytes();
  }

  /** Bytes that are resident then beyond those that are live. */
  public long idleBytes() {
    return idleBytes(idleResidentBytes());
  }

  /** The same as a share of the burst. */
  public double idleShare(long burstBytes) {
    return (double) idleBytes() / burstBytes;
  }

  /** The least share of all runs. */
  public double leastIdleShare(long burstBytes) {
    return idleShares(burstBytes).min().orElse(idleShare(burstBytes));
  }

  /** The largest share of all runs. */
  public double mostIdleShare(long burstBytes) {
    return idleShares(burstBytes).max().orElse(idleShare(burstBytes));
  }

  private DoubleStream idleShares(long burstBytes) {
    return runs.stream().mapToDouble(run -> (double) idleBytes(run.idleResidentBytes) / burstBytes);
  }

  private long idleBytes(long residentBytes) {
    return Math.max(0, residentBytes - survivorBytes);
  }
}
