package dev.arenal.elastic;

import dev.arenal.os.OperatingSystem;

/** Access to the inside of spaces, for tests in other packages. */
public final class SpaceAccess {
  private SpaceAccess() {}

  /** Has the space ask that system for its memory. */
  public static ElasticSpaceBuilder on(ElasticSpaceBuilder builder, OperatingSystem system) {
    return builder.operatingSystem(system);
  }

  /** Checks the structures of a space against each other. */
  public static void verify(ElasticSpace space) {
    space.verify();
  }
}
