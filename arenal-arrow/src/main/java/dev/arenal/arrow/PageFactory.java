package dev.arenal.arrow;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.util.function.Supplier;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.ReferenceManager;

/** Takes the memory of each buffer from a page allocator. */
final class PageFactory implements AllocationManager.Factory {
  /** Recommended by the columnar format; free for the sizes that Arrow requests. */
  private static final int ALIGNMENT_BYTES = 64;

  private final Supplier<PageAllocator> pages;
  private final PageAge age;

  PageFactory(Supplier<PageAllocator> pages, PageAge age) {
    this.pages = pages;
    this.age = age;
  }

  /**
   * The page comes first: Arrow's accounting of a manager begins in its constructor, and nothing
   * would undo it.
   */
  @Override
  public AllocationManager create(BufferAllocator allocator, long sizeBytes) {
    PageBuffer page = allocate(allocator, sizeBytes);
    AllocationManager manager = null;
    try {
      manager = new ArenalAllocationManager(allocator, page);
      return manager;
    } finally {
      if (manager == null) { // the allocator was closed meanwhile, or the Java heap is full
        page.close();
      }
    }
  }

  private PageBuffer allocate(BufferAllocator allocator, long sizeBytes) {
    try {
      return pages.get().allocate(sizeBytes, ALIGNMENT_BYTES, age);
    } catch (OutOfNativeMemoryError e) { // others are of the Java heap
      throw new OutOfMemoryException(describe(allocator, sizeBytes) + "; " + e.getMessage(), e);
    }
  }

  /** Arrow has already counted the bytes, and subtracts them again. */
  private static String describe(BufferAllocator allocator, long sizeBytes) {
    return "no room for an Arrow buffer: arrowAllocator="
        + allocator.getName()
        + ", arrowUsedBytes="
        + Math.max(0, allocator.getAllocatedMemory() - sizeBytes)
        + ", arrowLimitBytes="
        + allocator.getLimit()
        + ", sizeBytes="
        + sizeBytes;
  }

  /** One for each root, which keeps it: it has no memory, and cannot be released. */
  @Override
  public ArrowBuf empty() {
    return new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);
  }
}
