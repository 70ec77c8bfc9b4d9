package org.apache.arrow.memory;

import dev.arenal.arrow.ArenalAllocationManager;
import org.jspecify.annotations.NullMarked;

/**
 * The default of Arrow where this jar is on the class path: Arrow looks for a class of this name,
 * in a jar that has {@code memory-core} in its path, before it looks for its own managers.
 */
@NullMarked
public final class DefaultAllocationManagerFactory {
  /** Read by Arrow, by reflection. */
  public static final AllocationManager.Factory FACTORY = ArenalAllocationManager.FACTORY;

  private DefaultAllocationManagerFactory() {}
}
