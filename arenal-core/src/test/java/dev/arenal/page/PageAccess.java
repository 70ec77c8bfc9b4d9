package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.OperatingSystem;
import dev.arenal.page.granule.SupplyAccess;
import java.util.concurrent.locks.ReentrantLock;

/** Access to the inside of page allocators, for tests in other packages. */
public final class PageAccess {
  private PageAccess() {}

  /** Has the allocator ask that system for its memory. */
  public static PageAllocatorBuilder on(PageAllocatorBuilder builder, OperatingSystem system) {
    return builder.operatingSystem(system);
  }

  /** Checks the structures of an allocator against each other, if there is stack enough for it. */
  public static void verify(PageAllocator pages) {
    StackReserve.ensure(); // no operation of programs, which see to that themselves
    pages.state().verify();
  }

  /** The lock of its supply. */
  public static ReentrantLock supplyLock(PageAllocator pages) {
    return SupplyAccess.lock(pages.state().supply);
  }

  /** A description of its memory, for messages. */
  public static String describe(PageAllocator pages) {
    return pages.state().supply.toString();
  }
}
