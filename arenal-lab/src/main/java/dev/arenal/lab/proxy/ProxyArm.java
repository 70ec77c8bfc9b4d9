package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The source of the proxy's buffers. */
public enum ProxyArm {
  /** Netty's default since 4.2. */
  NETTY_ADAPTIVE("netty-adaptive"),
  /** Netty's default before. */
  NETTY_POOLED("netty-pooled"),
  /** {@code ArenalByteBufAllocator} by an option of the channels. */
  ARENAL("arenal"),
  /** The program of {@link #NETTY_ADAPTIVE} without a change, and the agent's option. */
  ARENAL_AGENT("arenal-agent"),
  /** No pool: each buffer by malloc, and glibc trimmed by HotSpot. */
  MALLOC_TRIM("malloc-trim");

  private static final double MILLIS_PER_SECOND = 1e3;

  private final String label;

  ProxyArm(String label) {
    this.label = label;
  }

  /** Its name on the command line and in results. */
  @JsonValue
  public String label() {
    return label;
  }

  /** Whether it is ours. */
  public boolean isArenal() {
    return this == ARENAL || this == ARENAL_AGENT;
  }

  /** Whether it is told how long to keep free memory: Netty's own have no such setting. */
  public boolean isTold() {
    return isArenal() || this == MALLOC_TRIM;
  }

  /** The delay that it has if it is told this one: that of the agent is in whole seconds. */
  Duration delay(Duration told) {
    return this == ARENAL_AGENT
        ? Duration.ofSeconds(Math.max(1, Math.round(told.toMillis() / MILLIS_PER_SECOND)))
        : told;
  }

  /**
   * The arm of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ProxyArm ofLabel(String label) {
    return Arrays.stream(values())
        .filter(arm -> arm.label.equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "unknown arm: name=%s (expected one of %s)"
                    .formatted(label, labels(List.of(values())))));
  }

  /** Names, with commas between them. */
  public static String labels(List<ProxyArm> arms) {
    return arms.stream().map(ProxyArm::label).collect(Collectors.joining(", "));
  }
}
