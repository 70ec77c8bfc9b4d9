package dev.arenal.elastic;

/** An optional part of a {@linkplain ElasticSpace#report report}, with its cost. */
public enum ReportDetail {
  /**
   * A line for each open arena, with its name. <b>Cost:</b> one object for each arena, made under
   * the lock of the space.
   */
  ARENAS,

  /** A line for each {@link ArenaGrowth}, as HotSpot has one for each kind of class loader. */
  GROWTHS,

  /** The chunks in use by level. <b>Cost:</b> the granules of every chunk are looked at. */
  CHUNK_LEVELS,

  /** Each node, with a letter for each of its chunks. <b>Cost:</b> the chunks in use are sorted. */
  NODES
}
