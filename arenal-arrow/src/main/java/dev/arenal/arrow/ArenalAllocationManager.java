package dev.arenal.arrow;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.util.Objects;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The manager of the memory of one Arrow buffer, in the pages of a {@link PageAllocator}. The
 * memory of a burst of vectors goes back to the operating system after the burst, including the
 * gaps between vectors that are still in use.
 *
 * <pre>{@code
 * BufferAllocator root =
 *     new RootAllocator(
 *         RootAllocator.configBuilder()
 *             .allocationManagerFactory(ArenalAllocationManager.factory(pages))
 *             .build());
 * }</pre>
 *
 * <p>A buffer has exactly the bytes that Arrow requests, which Arrow has already rounded, and is
 * aligned to 64 bytes, as the columnar format recommends. It is not zeroed, unless the page
 * allocator is. If the page allocator, its budget or the operating system has no room, a request
 * fails with Arrow's {@link org.apache.arrow.memory.OutOfMemoryException}, which has the figures of
 * Arrow and of Arenal; nothing has changed then.
 *
 * <p><b>Threading:</b> a factory may be used by any thread, and buffers may be released by any
 * thread. <b>Cost:</b> that of {@link PageAllocator}; for each buffer, its handle on the Java heap
 * beside Arrow's own objects. See {@code docs/arrow.md}.
 */
public final class ArenalAllocationManager extends AllocationManager {
  static {
    // Nothing here may initialize BaseAllocator, which asks for FACTORY while it is initialized.
    ArrowVersion.check();
  }

  /**
   * The factory of the whole program. It takes buffers from an allocator named {@code arrow}, which
   * is built at the first buffer. It has no limit below the memory of the machine, unless {@code
   * -Darenal.arrow.limitBytes} sets one; Arrow's manager with Netty, by contrast, stops at Netty's
   * limit for direct memory. {@code -Darenal.arrow.uncommitDelayMillis} sets how long memory must
   * have been free before it goes back.
   */
  public static final AllocationManager.Factory FACTORY =
      new PageFactory(SharedPages::get, PageAge.SHORT_LIVED);

  /**
   * The page allocator of {@link #FACTORY}, for reports, statistics and {@code trim}. It is built
   * at the first buffer, or by this method, and should not be closed. If it is damaged, or its
   * close has ended, a new one with the same budget takes its place. A request during the close
   * fails.
   *
   * @throws OutOfMemoryError if the page allocator has to be built and the operating system refuses
   */
  public static PageAllocator sharedPages() {
    return SharedPages.get();
  }

  private final PageBuffer page;

  /** The address of the page buffer, which is slower to get. */
  private final long address;

  /** Owns the page from now on, unless this fails. */
  ArenalAllocationManager(BufferAllocator allocator, PageBuffer page) {
    long start = page.segment().address(); // it may find the Java heap full: before Arrow's books
    super(allocator);
    this.page = page;
    this.address = start;
  }

  /**
   * Creates a factory whose buffers come from a page allocator, which may have other users as well.
   * The limit, budget, delay and wait of the page allocator apply to the buffers.
   *
   * <p>Build the page allocator with {@code zeroed(false)}: Arrow expects no zeros, and clearing
   * used memory costs time. Close it only after all buffers have been released.
   *
   * @throws NullPointerException if the page allocator is null
   */
  public static AllocationManager.Factory factory(PageAllocator pages) {
    return factory(pages, PageAge.SHORT_LIVED);
  }

  /**
   * Creates such a factory for buffers of a given age: {@link PageAge#LONG_LIVED} for a root whose
   * vectors stay, such as those of a cache.
   *
   * @throws NullPointerException if the page allocator or the age is null
   */
  public static AllocationManager.Factory factory(PageAllocator pages, PageAge age) {
    Objects.requireNonNull(pages, "pages");
    Objects.requireNonNull(age, "age");
    pages.addUser(SharedPages.USER);
    return new PageFactory(() -> pages, age);
  }

  /** The bytes that Arrow has requested. */
  @Override
  public long getSize() {
    return page.sizeBytes();
  }

  @Override
  protected long memoryAddress() {
    return address;
  }

  /** Frees the memory. The thread that releases the last reference calls it once. */
  @Override
  protected void release0() {
    page.close();
  }
}
