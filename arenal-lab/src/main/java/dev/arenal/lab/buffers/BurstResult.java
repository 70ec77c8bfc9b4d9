package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * How one allocator stood one burst.
 *
 * @param kind the allocator
 * @param library its name and version
 * @param countThreads how many threads shared the burst
 * @param hasSurvivors whether one buffer in each megabyte stayed
 * @param points along the way; the last one is the end of the idle time
 * @param survivorBytes the sum of the buffers that stayed
 * @param freedSeconds when the last buffer had been freed
 */
public record BurstResult(
    @JsonProperty("allocator") PeerKind kind,
    String library,
    @JsonProperty("threads") int countThreads,
    @JsonProperty("survivors") boolean hasSurvivors,
    @JsonFormat(shape = JsonFormat.Shape.ARRAY) @JsonProperty("timeline") List<BurstPoint> points,
    long survivorBytes,
    double freedSeconds) {
  /** Keeps a copy. */
  public BurstResult {
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

  /** What is resident then beyond what is live, as a share of the burst. */
  public double idleShare(long burstBytes) {
    return (double) Math.max(0, idleResidentBytes() - survivorBytes) / burstBytes;
  }
}
