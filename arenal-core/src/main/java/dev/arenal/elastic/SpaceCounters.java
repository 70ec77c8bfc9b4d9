package dev.arenal.elastic;

/** How often things happened in a space since it was built. Guarded by the lock of the space. */
final class SpaceCounters {
  long allocationsFailedLimit;
  long arenaBirths;
  long arenaDeaths;
  long nodeBirths;
  long nodeDeaths;
  long commits;
  long uncommits;
  long uncommitsFailed;
  long chunksReturned;
  long chunksTaken;
  long chunkMerges;
  long chunkSplits;
  long chunksEnlarged;
}
