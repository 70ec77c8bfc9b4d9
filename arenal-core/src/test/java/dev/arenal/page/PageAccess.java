package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.OperatingSystem;

/** What tests of all packages at once may do with page allocators that programs may not. */
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

  /** What its memory is, for messages. */
  public static String describe(PageAllocator pages) {
    return pages.state().supply().toString();
  }
}
