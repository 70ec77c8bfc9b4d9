package dev.arenal.elastic;

/** The expected growth of an arena, which determines the sizes of its chunks. */
public enum ArenaGrowth {
  /**
   * Learned from the sizes of earlier adaptive arenas of the space. While these stay tiny, several
   * arenas share a granule; otherwise each arena has its own addresses, which double as it grows.
   */
  ADAPTIVE,

  /** As small as possible: 1 KiB at a time, like HotSpot's holders of hidden classes. */
  MICRO,

  /** HotSpot's steps for an ordinary class loader: 4, 4, 4, 8, then 16 KiB. */
  STANDARD,

  /** For the one arena that takes most of the memory: 4 MiB of addresses, then doubling. */
  LARGE
}
