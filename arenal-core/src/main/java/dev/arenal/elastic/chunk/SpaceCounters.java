package dev.arenal.elastic.chunk;

/** How often things happened in a space since it was built. Guarded by the lock of the space. */
public final class SpaceCounters {
  public long allocationsFailedLimit;
  public long arenaBirths;
  public long arenaDeaths;
  public long nodeBirths;
  public long nodeDeaths;
  public long commits;
  public long uncommits;
  public long uncommitsFailed;
  public long chunksReturned;
  public long chunksTaken;
  public long chunkMerges;
  public long chunkSplits;
  public long chunksEnlarged;
}
