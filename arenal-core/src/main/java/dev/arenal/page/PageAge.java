package dev.arenal.page;

/**
 * The expected lifetime of a buffer: a hint of the caller. Buffers of different ages do not share
 * pages: otherwise one buffer that stays would pin the memory of many that have gone. Only a
 * request that would otherwise fail uses room of the other age.
 */
public enum PageAge {
  /** Closed soon: the buffer of a request, a message, a batch. */
  SHORT_LIVED,

  /** Stays: the buffer of a cache, an index, a connection. */
  LONG_LIVED
}
