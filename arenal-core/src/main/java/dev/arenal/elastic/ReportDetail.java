package dev.arenal.elastic;

/**
 * The parts that a {@linkplain ElasticSpace#report report} shows beyond the whole, and their cost.
 */
public enum ReportDetail {
  /**
   * A line for each open arena, with its name. <b>Cost:</b> one object for each arena, made under
   * the lock of the space.
   */
  ARENAS,

  /** A line for each {@link ArenaGrowth}, as HotSpot has one for each kind of class loader. */
  GROWTHS,

  /** The chunks in use by level. <b>Cost:</b> a look at the granules of every chunk. */
  CHUNK_LEVELS,

  /** Each node, with a letter for each of its chunks. <b>Cost:</b> sorts the chunks in use. */
  NODES
}
