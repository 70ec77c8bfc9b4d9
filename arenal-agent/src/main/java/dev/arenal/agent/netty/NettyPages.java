package dev.arenal.agent.netty;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.agent.runtime.AgentOutput;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pages of all copies of Netty in this JVM: one page allocator, one budget. Copies call it by
 * handles, so all types are those of the JDK; a page is a {@link PageBuffer}.
 */
public final class NettyPages {
  private static final String NAME = "netty";
  private static final long LEAST_CAPACITY_BYTES = 128L << 20;

  /** A capacity of twice as much is the largest that a page allocator takes. */
  private static final long LARGEST_LIMIT_BYTES = 4L << 40;

  /** Null before the first buffer: it may be refused there. */
  private static volatile @Nullable PageAllocator pages;

  /** Those that have been replaced; they stay, since buffers may be open. */
  private static final List<PageAllocator> DAMAGED = new ArrayList<>();

  private static long limitBytes;
  private static Duration uncommitDelay = Duration.ZERO;

  private NettyPages() {}

  /**
   * Opens them, so that any obstacle is known before the first buffer. The first limit counts,
   * since a budget has one.
   *
   * @return the limit that holds
   * @throws IllegalStateException if there can be no such pages here
   */
  static synchronized long openWith(long bytes) {
    long before = limitBytes;
    if (before == 0) {
      limitBytes = Math.clamp(bytes, 1, LARGEST_LIMIT_BYTES);
    }
    try {
      var _ = pages();
    } catch (Throwable e) {
      limitBytes = before;
      if (e instanceof VirtualMachineError end && !(e instanceof OutOfNativeMemoryError)) {
        throw end; // of the stack or of the Java heap: asked again at the next buffer
      }
      throw new IllegalStateException("pages cannot be opened: cause=" + e, e);
    }
    return limitBytes;
  }

  static synchronized void uncommitAfter(Duration delay) {
    uncommitDelay = delay;
  }

  private static PageAllocator pages() {
    PageAllocator known = pages;
    return known == null || known.isDamaged() ? open() : known;
  }

  /** The budget is the limit; the capacity counts holes, too, and gets room for them. */
  private static synchronized PageAllocator open() {
    PageAllocator known = pages;
    if (known != null && !known.isDamaged()) {
      return known;
    }
    PageAllocator open =
        PageAllocator.builder(NAME)
            .capacityBytes(Math.max(LEAST_CAPACITY_BYTES, 2 * limitBytes))
            .budget(known != null ? known.budget() : Budget.limitedTo(NAME, limitBytes))
            .uncommitDelay(uncommitDelay)
            .zeroed(false)
            .build();
    open.addUser("Netty");
    if (known != null) {
      DAMAGED.add(known);
    }
    pages = open;
    if (known != null) {
      AgentOutput.line("netty: pages are damaged, and replaced");
    }
    return open;
  }

  /** A page of that size; an {@link OutOfMemoryError} where there is no room. */
  public static Object allocate(long sizeBytes) {
    return pages().allocate(sizeBytes, PageAge.SHORT_LIVED);
  }

  /** The size that costs as much. */
  public static long roundUp(long sizeBytes) {
    PageAllocator known = pages;
    return (known == null ? pages() : known).roundUp(sizeBytes);
  }

  /** The memory of a page. */
  public static MemorySegment segment(Object page) {
    return ((PageBuffer) page).segment();
  }

  /** Gives a page back. */
  public static void close(Object page) {
    ((PageBuffer) page).close();
  }

  /** All memory, as one segment. */
  @SuppressWarnings("restricted") // buffers hand out addresses; checks are those of ByteBuf
  public static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** Bytes of all open buffers. */
  public static long usedBytes() {
    PageAllocator known = pages;
    return known == null ? 0 : known.usedBytes();
  }

  /** The figures, in a line. */
  static synchronized String figures() {
    PageAllocator known = pages;
    return "usedBytes="
        + usedBytes()
        + ", committedBytes="
        + (known == null ? 0 : known.committedBytes())
        + ", limitBytes="
        + limitBytes;
  }
}
