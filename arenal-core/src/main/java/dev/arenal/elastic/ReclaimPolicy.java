package dev.arenal.elastic;

/**
 * When a space gives committed memory back. The names are those of JEP 387's {@code
 * MetaspaceReclaimPolicy}; their effect is more elastic than the original's.
 */
public enum ReclaimPolicy {
  /**
   * When the space is closed. A chunk is committed as a whole when an arena takes it. Before the
   * close, free memory goes back only by {@link ElasticSpace#trim}, or when another user of the
   * budget is refused memory; blocks that were given back early do not go back even then. This
   * policy makes the fewest system calls.
   */
  NONE,

  /**
   * When memory becomes free. Granules are committed as an arena needs them, for a large arena a
   * little ahead. They go back when nothing in them is used, except for a small reserve that stays
   * committed for the next arena.
   */
  BALANCED,

  /**
   * As {@link #BALANCED}, but without committing ahead, and without a reserve unless {@link
   * ElasticSpaceBuilder#reserveBytes} sets one. This policy has the smallest footprint.
   */
  AGGRESSIVE
}
