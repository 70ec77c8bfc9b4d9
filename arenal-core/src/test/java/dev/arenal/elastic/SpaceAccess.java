package dev.arenal.elastic;

import dev.arenal.os.OperatingSystem;
import java.util.concurrent.locks.ReentrantLock;

/** Access to the inside of spaces, for tests in other packages. */
public final class SpaceAccess {
  private SpaceAccess() {}

  /** Has the space ask that system for its memory. */
  public static ElasticSpaceBuilder on(ElasticSpaceBuilder builder, OperatingSystem system) {
    return builder.operatingSystem(system);
  }

  /** The lock of the space of an arena. */
  public static ReentrantLock lock(ElasticArena arena) {
    return ((ChunkedArena) arena).space.lock;
  }

  /** Checks the structures of a space against each other. */
  public static void verify(ElasticSpace space) {
    space.verify();
  }
}
