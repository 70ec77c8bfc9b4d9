package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a proxy stood two waves of slow clients, and the quiet between them. Figures of what is
 * resident are without what was before the first wave.
 *
 * @param arm what its buffers come from
 * @param library Netty with its version
 * @param transport epoll or nio
 * @param baselineBytes resident before the first wave: the Java heap, the JVM, and what a small
 *     wave has left
 * @param points along the way
 * @param peak the moment of the first wave at which most was resident; null if there was none
 * @param idle the last moment of the quiet; null if it did not live so long
 * @param secondPeak the moment of the second wave at which most was resident; null likewise
 * @param servedCount clients that got their whole response
 * @param lostCount clients that did not
 * @param exitCode how the process ended before its time; null if it served to the end
 */
public record WavesResult(
    ProxyArm arm,
    String library,
    String transport,
    long baselineBytes,
    @JsonFormat(shape = JsonFormat.Shape.ARRAY) List<ProxyPoint> points,
    @Nullable ProxyPoint peak,
    @Nullable ProxyPoint idle,
    @Nullable ProxyPoint secondPeak,
    @JsonProperty("countServed") int servedCount,
    @JsonProperty("countLost") int lostCount,
    @Nullable Integer exitCode) {
  /** The most that the whole process had resident; 0 if nothing was seen. */
  public long peakProcessBytes() {
    return baselineBytes + points.stream().mapToLong(ProxyPoint::residentBytes).max().orElse(0);
  }
}
