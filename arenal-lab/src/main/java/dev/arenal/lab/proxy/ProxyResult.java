package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Median;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a proxy has shown.
 *
 * @param arm what its buffers came from
 * @param delay how long it was told to keep free memory; null where there is no such setting
 * @param waves the waves without a limit: where they were run several times, the run whose share at
 *     the end of the quiet is in the middle
 * @param runs the figures of each of these runs, in their order; empty where there was one
 * @param load the load; null if that failed
 * @param limited the waves in a control group; null if there was none
 */
public record ProxyResult(
    ProxyArm arm,
    @JsonProperty("delaySeconds") @Nullable Duration delay,
    WavesResult waves,
    List<Run> runs,
    @Nullable LoadResult load,
    @Nullable LimitedResult limited) {
  /**
   * The figures of one of several runs.
   *
   * @param peakResidentBytes see {@link ProxyResult}
   * @param idleShare the same
   */
  public record Run(@Nullable Long peakResidentBytes, @Nullable Double idleShare) {
    private static Run of(WavesResult waves) {
      return new Run(residentBytes(waves.peak()), share(waves));
    }
  }

  /** Keeps a copy. */
  public ProxyResult {
    runs = List.copyOf(runs);
  }

  /** One result of runs of the waves, which are not empty. */
  static ProxyResult ofRuns(
      ProxyArm arm,
      @Nullable Duration delay,
      List<WavesResult> waves,
      @Nullable LoadResult load,
      @Nullable LimitedResult limited) {
    return new ProxyResult(
        arm,
        delay,
        Median.lower(
            waves,
            Comparator.comparing(
                ProxyResult::share, Comparator.nullsLast(Comparator.<Double>naturalOrder()))),
        waves.size() == 1 ? List.of() : waves.stream().map(Run::of).toList(),
        load,
        limited);
  }

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
    return share(waves);
  }

  /** The shares of all runs that lived so long, the least one first. */
  public List<Double> idleShares() {
    Stream<@Nullable Double> shares =
        runs.isEmpty() ? Stream.ofNullable(idleShare()) : runs.stream().map(Run::idleShare);
    return shares.filter(Objects::nonNull).sorted().toList();
  }

  private static @Nullable Double share(WavesResult waves) {
    ProxyPoint idle = waves.idle();
    ProxyPoint peak = waves.peak();
    return idle == null || peak == null || peak.waitingBytes() == 0
        ? null
        : (Double) ((double) idle.residentBytes() / peak.waitingBytes());
  }

  private static @Nullable Long residentBytes(@Nullable ProxyPoint point) {
    return point == null ? null : (Long) point.residentBytes();
  }
}
