package dev.arenal.lab.proxy;

import dev.arenal.lab.result.Labelled;
import java.time.Duration;

/** The source of the proxy's buffers. */
public enum ProxyArm implements Labelled {
  /** Netty's default since 4.2. */
  NETTY_ADAPTIVE,
  /** Netty's default before. */
  NETTY_POOLED,
  /** {@code ArenalByteBufAllocator} by an option of the channels. */
  ARENAL,
  /** The program of {@link #NETTY_ADAPTIVE} without a change, and the agent's option. */
  ARENAL_AGENT,
  /** No pool: each buffer by malloc, and glibc trimmed by HotSpot. */
  MALLOC_TRIM;

  private static final double MILLIS_PER_SECOND = 1e3;

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
}
