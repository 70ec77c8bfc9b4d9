package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one allocator stood one burst.
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
    double freedSeconds)
    implements PeerResult {
  /** Keeps a copy. In old results Arenal always had the short delay, and none is told. */
  public BurstResult {
    kind = kind == PeerKind.ARENAL && delay == null ? PeerKind.ARENAL_SHORT : kind;
    points = List.copyOf(points);
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
    return Math.max(0, idleResidentBytes() - survivorBytes);
  }

  /** The same as a share of the burst. */
  public double idleShare(long burstBytes) {
    return (double) idleBytes() / burstBytes;
  }
}
