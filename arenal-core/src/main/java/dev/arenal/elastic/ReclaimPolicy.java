package dev.arenal.elastic;

/**
 * When a space gives committed memory back. The names are those of JEP 387's {@code
 * MetaspaceReclaimPolicy}; their effect is more elastic than the original's.
 */
public enum ReclaimPolicy {
  /**
   * Never by itself: a chunk is committed whole when an arena takes it, and nothing goes back
   * before the space is closed, but by {@link ElasticSpace#trim} and where others of the budget are
   * refused; blocks that were given back early not even then. The fewest calls into the kernel.
   */
  NONE,

  /**
   * When memory becomes free: granules are committed as an arena needs them, a large arena a little
   * ahead, and go back when nothing in them is used, except for a small reserve that stays
   * committed for the next arena.
   */
  BALANCED,

  /**
   * Like {@link #BALANCED}, without a reserve and without committing ahead: the smallest footprint.
   */
  AGGRESSIVE
}
