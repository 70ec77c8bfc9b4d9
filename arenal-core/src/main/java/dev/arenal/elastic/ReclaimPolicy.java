package dev.arenal.elastic;

/**
 * When a space gives committed memory back. The names are those of JEP 387's {@code
 * MetaspaceReclaimPolicy}; their effect is more elastic than the original's.
 */
public enum ReclaimPolicy {
  /**
   * Not before the space is closed: a chunk is committed whole when an arena takes it. Free memory
   * goes back only by {@link ElasticSpace#trim}, or when another user of the budget is refused
   * memory; blocks that were given back early do not go back even then. The fewest calls into the
   * kernel.
   */
  NONE,

  /**
   * When memory becomes free: granules are committed as an arena needs them, for a large arena a
   * little ahead. They go back when nothing in them is used, except for a small reserve that stays
   * committed for the next arena.
   */
  BALANCED,

  /**
   * Like {@link #BALANCED}, without committing ahead, and without a reserve unless {@link
   * ElasticSpaceBuilder#reserveBytes} sets one: the smallest footprint.
   */
  AGGRESSIVE
}
