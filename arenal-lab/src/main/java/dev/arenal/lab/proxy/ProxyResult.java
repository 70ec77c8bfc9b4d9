package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All that a proxy has shown.
 *
 * @param arm what its buffers came from
 * @param delay how long it was told to keep free memory; null where there is no such setting
 * @param waves the waves without a limit
 * @param load the load; null if that failed
 * @param limited the waves in a control group; null if there was none
 */
public record ProxyResult(
    ProxyArm arm,
    @JsonProperty("delaySeconds") @Nullable Duration delay,
    WavesResult waves,
    @Nullable LoadResult load,
    @Nullable LimitedResult limited) {
  /** The most that was resident in the first wave, without what was before. */
  @JsonProperty
  public @Nullable Long peakResidentBytes() {
    return residentBytes(waves.peak());
  }

  /** The bytes that waited for clients at that moment: the buffers that were needed. */
  @JsonProperty
  public @Nullable Long peakWaitingBytes() {
    return waves.peak() == null ? null : (Long) waves.peak().waitingBytes();
  }

  /** Resident at the end of the quiet, without what was before the first wave. */
  @JsonProperty
  public @Nullable Long idleResidentBytes() {
    return residentBytes(waves.idle());
  }

  /** The most that was resident in the second wave. */
  @JsonProperty
  public @Nullable Long secondPeakResidentBytes() {
    return residentBytes(waves.secondPeak());
  }

  /** Requests that fast clients had answered in a second. */
  @JsonProperty
  public @Nullable Double requestsPerSecond() {
    return load == null ? null : (Double) load.requestsPerSecond();
  }

  /** The median of the times at a fixed rate. */
  @JsonProperty
  public @Nullable Double medianMicros() {
    return load == null ? null : (Double) load.medianMicros();
  }

  /** The latency that one request in a thousand exceeds at a fixed rate. */
  @JsonProperty
  public @Nullable Double p999Micros() {
    return load == null ? null : (Double) load.p999Micros();
  }

  /** Resident bytes in the quiet as a share of the buffers at the peak. */
  @JsonProperty
  public @Nullable Double idleShare() {
    Long idle = idleResidentBytes();
    Long peak = peakWaitingBytes();
    return idle == null || peak == null || peak == 0 ? null : (Double) ((double) idle / peak);
  }

  private static @Nullable Long residentBytes(@Nullable ProxyPoint point) {
    return point == null ? null : (Long) point.residentBytes();
  }
}
