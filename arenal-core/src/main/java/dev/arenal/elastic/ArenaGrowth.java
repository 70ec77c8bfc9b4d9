package dev.arenal.elastic;

/** How an arena is expected to grow, which decides the sizes of the chunks it takes. */
public enum ArenaGrowth {
  /**
   * Learned: the space watches how large its adaptive arenas become. While they stay tiny, several
   * share a granule; otherwise each has addresses of its own, doubled as it grows.
   */
  ADAPTIVE,

  /** As small as can be: 1 KiB at a time, like HotSpot's holders of hidden classes. */
  MICRO,

  /** HotSpot's steps for an ordinary class loader: 4, 4, 4, 8, then 16 KiB. */
  STANDARD,

  /** Suits the one arena that takes most of the memory: 4 MiB of addresses, then doubling. */
  LARGE
}
