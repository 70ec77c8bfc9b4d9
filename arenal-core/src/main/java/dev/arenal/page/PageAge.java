package dev.arenal.page;

/**
 * How long a buffer is expected to live: a hint of the caller. Buffers of different ages do not
 * share pages, so that one that stays does not pin the memory of many that have gone; only a
 * request that would otherwise fail takes room of the other age.
 */
public enum PageAge {
  /** Gone soon: a request, a message, a batch. */
  SHORT_LIVED,

  /** Stays: a cache, an index, a connection's own buffers. */
  LONG_LIVED
}
