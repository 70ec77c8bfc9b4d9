package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.OperatingSystem;
import dev.arenal.page.granule.SupplyAccess;
import dev.arenal.page.span.SpanAccess;
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

  /** The lock of one of its heaps. */
  public static ReentrantLock heapLock(PageAllocator pages) {
    return pages.state().heaps.getFirst().lock;
  }

  /** The lock of the numbers of its spans. */
  public static ReentrantLock spansLock(PageAllocator pages) {
    return SpanAccess.lock(pages.state().context.spans());
  }

  /** The lock of the list of its racks. */
  public static ReentrantLock racksLock(PageAllocator pages) {
    return pages.state().racks.lock;
  }

  /** The lock of one of the lists of its confined arenas. */
  public static ReentrantLock arenasLock(PageAllocator pages) {
    return pages.state().arenas.heads[0];
  }

  /** Takes the last of its racks; returns what gives it back. */
  public static Runnable holdRack(PageAllocator pages) {
    Rack rack = pages.state().racks.get(pages.state().racks.count() - 1);
    if (!rack.tryLock()) {
      throw new IllegalStateException("rack is taken: allocator=" + pages);
    }
    return () -> rack.lock = 0;
  }

  /** Claims memory of it for a discard; returns what ends that. */
  public static Runnable claim(PageAllocator pages) {
    return SupplyAccess.claim(pages.state().supply);
  }

  /** Has a pretouch claim memory that a refused request waits for; returns what ends that. */
  public static Runnable claimForPretouch(PageAllocator pages) {
    return SupplyAccess.claimForPretouch(pages.state().supply);
  }

  /** A description of its memory, for messages. */
  public static String describe(PageAllocator pages) {
    return pages.state().supply.toString();
  }
}
