package dev.arenal.netty;

import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.SystemPropertyUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An allocator of Netty's buffers in the pages of a {@link PageAllocator}. The memory of a burst
 * goes back to the operating system after the burst, including the gaps between buffers that are
 * still in use.
 *
 * <pre>{@code
 * bootstrap.option(ChannelOption.ALLOCATOR, ArenalByteBufAllocator.DEFAULT);
 * bootstrap.childOption(ChannelOption.ALLOCATOR, ArenalByteBufAllocator.DEFAULT);
 * }</pre>
 *
 * <p>Direct buffers come from the pages; they have a memory address, and Netty's leak detection
 * works for them. A buffer grows in place up to the end of its slot; {@link
 * ByteBuf#maxFastWritableBytes} returns how far. Heap buffers are those of Netty's adaptive
 * allocator.
 *
 * <p><b>Threading:</b> all methods may be called by any thread, and buffers may be released by any
 * thread. <b>Cost:</b> that of {@link PageAllocator}, and three small objects on the Java heap for
 * each buffer. See {@code docs/netty.md}.
 */
public final class ArenalByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider {
  static {
    NettyVersion.check();
  }

  /**
   * The allocator of the whole program, named {@code netty}. As with Netty's own allocators, its
   * limit is {@code -Dio.netty.maxDirectMemory}, and it does not clear used memory. It prefers
   * direct buffers, unless {@code -Dio.netty.noPreferDirect} is set. {@code
   * -Darenal.netty.uncommitDelayMillis} sets how long memory must have been free before it goes
   * back; five minutes by default.
   */
  public static final ArenalByteBufAllocator DEFAULT =
      new ArenalByteBufAllocator(SystemPropertyUtil.getBoolean("io.netty.noPreferDirect", false));

  private static final String USER = "Netty";
  private static final long LEAST_CAPACITY_BYTES = 128L << 20;

  /** A capacity of twice as much is the largest that a page allocator takes. */
  private static final long LARGEST_LIMIT_BYTES = 4L << 40;

  /** Whether it is {@link #DEFAULT}, whose page allocator is its own. */
  private final boolean isShared;

  /** Null before the first direct buffer of {@link #DEFAULT}: it may be refused there. */
  private volatile @Nullable PageAllocator pages;

  /** Those that have been replaced; they stay as long as this, since buffers may be open. */
  private final List<PageAllocator> damaged = new ArrayList<>();

  private final AdaptiveByteBufAllocator heap = new AdaptiveByteBufAllocator(false);
  private final Metric metric = new Metric();

  private ArenalByteBufAllocator(boolean isHeapPreferred) {
    super(!isHeapPreferred);
    this.isShared = true;
  }

  /**
   * Creates an allocator whose direct buffers come from a page allocator, which may have other
   * users as well.
   *
   * <p>Build the page allocator with {@code zeroed(false)}: Netty expects no zeros, and clearing
   * used memory costs time. Close it only after all buffers have been released.
   *
   * @param preferDirect whether {@link #buffer} creates direct buffers, which are better for all
   *     data that a channel reads or writes
   */
  public ArenalByteBufAllocator(PageAllocator pages, boolean preferDirect) {
    super(preferDirect);
    this.isShared = false;
    FirstAccess.ensure();
    this.pages = Objects.requireNonNull(pages, "pages");
    pages.addUser(USER);
  }

  /**
   * The page allocator that the direct buffers come from, for reports, statistics and {@code trim}.
   * That of {@link #DEFAULT} is built at the first direct buffer, or by this method, and should not
   * be closed. If it is damaged, or its close has ended, a new one with the same budget takes its
   * place. A request during the close fails.
   *
   * @throws OutOfMemoryError if the page allocator has to be built and the operating system refuses
   */
  public PageAllocator pages() {
    PageAllocator known = pages;
    return known == null || (isShared && isOver(known)) ? openShared() : known;
  }

  private static boolean isOver(PageAllocator pages) {
    return pages.isDamaged() || pages.isClosed();
  }

  private PageAllocator openShared() {
    FirstAccess.ensure();
    SharedDelay delay = SharedDelay.parse(System.getProperty(SharedDelay.PROPERTY));
    PageAllocator known;
    PageAllocator shared;
    synchronized (this) {
      known = pages;
      if (known != null && !isOver(known)) {
        return known;
      }
      shared = build(known, delay.delay());
      if (known != null && !known.isClosed()) {
        damaged.add(known);
      }
      pages = shared;
    }
    if (known != null) {
      warn("allocator was damaged or closed, and has been replaced: allocator=netty");
    } else if (delay.complaint() != null) {
      warn(delay.complaint());
    }
    return shared;
  }

  /** The budget is the limit; the capacity counts holes, too, and gets room for them. */
  private static PageAllocator build(@Nullable PageAllocator before, Duration uncommitDelay) {
    Budget budget =
        before != null
            ? before.budget()
            : Budget.limitedTo(
                "netty", Math.min(PlatformDependent.maxDirectMemory(), LARGEST_LIMIT_BYTES));
    PageAllocator shared =
        PageAllocator.builder("netty")
            // The program may have raised the limit since.
            .capacityBytes(
                Math.max(
                    LEAST_CAPACITY_BYTES, 2 * Math.min(budget.limitBytes(), LARGEST_LIMIT_BYTES)))
            .budget(budget)
            .uncommitDelay(uncommitDelay)
            .zeroed(false)
            .build();
    shared.addUser(USER);
    return shared;
  }

  /** Loggers are the program's code, which may want a buffer, and fail. */
  private static void warn(String complaint) {
    try {
      System.getLogger("dev.arenal").log(System.Logger.Level.WARNING, complaint);
    } catch (Throwable e) {
      return;
    }
  }

  /** With the whole of its rounded size, if the buffer may grow. */
  PageBuffer allocatePage(int capacity, int maxCapacity) {
    PageAllocator pages = pages();
    long sizeBytes = Math.min(pages.roundUp(capacity), maxCapacity);
    // Netty may be told not to compare the two.
    return pages.allocate(Math.max(capacity, sizeBytes), PageAge.SHORT_LIVED);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    PageBuffer page = allocatePage(initialCapacity, maxCapacity);
    ByteBuf buffer = null;
    try {
      buffer = toLeakAwareBuffer(new PageByteBuf(this, page, initialCapacity, maxCapacity));
      return buffer;
    } finally {
      if (buffer == null) { // the Java heap is full
        page.close();
      }
    }
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return heap.heapBuffer(initialCapacity, maxCapacity);
  }

  /** True: a channel copies heap buffers into direct ones before it writes them. */
  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  /**
   * The memory in use. Direct memory is the bytes of open buffers of the page allocator, of all its
   * users together. Heap memory is whole chunks, as Netty's adaptive allocator counts them.
   */
  @Override
  public ByteBufAllocatorMetric metric() {
    return metric;
  }

  /** Figures of the one that encloses it. */
  private final class Metric implements ByteBufAllocatorMetric {
    @Override
    public long usedHeapMemory() {
      return heap.metric().usedHeapMemory();
    }

    @Override
    public long usedDirectMemory() {
      PageAllocator known = pages;
      return known == null ? 0 : known.usedBytes();
    }

    /** As Netty's own metrics print theirs. */
    @Override
    public String toString() {
      return "ArenalByteBufAllocatorMetric(usedHeapMemory: "
          + usedHeapMemory()
          + "; usedDirectMemory: "
          + usedDirectMemory()
          + ')';
    }
  }
}
