package dev.arenal.bench.buffers;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Allocators of buffers that any thread frees, each with a buffer that has been touched: one word
 * in each OS page is written, through what the peer's users would write with.
 *
 * <p>An allocator is that of its JVM, for all sizes that are measured there one after the other; it
 * is not closed, but ends with the JVM.
 */
public final class BufferPeers {
  private static final long OS_PAGE_BYTES = 4096;
  private static final long CAPACITY_BYTES = 4L << 30;

  private BufferPeers() {}

  /** How large a buffer is. */
  @State(Scope.Benchmark)
  public static class Size {
    /** From small ones to those that Netty's adaptive allocator still pools. */
    @Param({"256", "4096", "65536", "1048576"})
    public int sizeBytes;
  }

  /** Arenal, without zeroing: as the others do it. */
  @State(Scope.Benchmark)
  public static class Pages {
    private final PageAllocator allocator = OnePages.ALLOCATOR;

    PageBuffer allocate(Size size) {
      return touched(allocator.allocate(size.sizeBytes, PageAge.SHORT_LIVED));
    }
  }

  /** Arenal with its defaults. */
  @State(Scope.Benchmark)
  public static class ZeroedPages {
    private final PageAllocator allocator = OneZeroedPages.ALLOCATOR;

    PageBuffer allocate(Size size) {
      return touched(allocator.allocate(size.sizeBytes, PageAge.SHORT_LIVED));
    }
  }

  /** Netty's default since 4.2, with the caches that an event loop has. */
  @State(Scope.Benchmark)
  public static class NettyAdaptive {
    private final ByteBufAllocator allocator = OneAdaptive.ALLOCATOR;

    ByteBuf allocate(Size size) {
      return touched(allocator.directBuffer(size.sizeBytes, size.sizeBytes));
    }
  }

  /** Netty's default before; threads of Netty have caches. */
  @State(Scope.Benchmark)
  public static class NettyPooled {
    private final ByteBufAllocator allocator = OnePooled.ALLOCATOR;

    ByteBuf allocate(Size size) {
      return touched(allocator.directBuffer(size.sizeBytes, size.sizeBytes));
    }
  }

  /** A heap in the manner of malloc, by downcalls; addresses are numbers. */
  public abstract static class Heap {
    private final HeapKind kind;

    Heap(HeapKind kind) {
      this.kind = kind;
    }

    /** Makes it the heap of this JVM. */
    @Setup(Level.Trial)
    public void open() {
      MeasuredHeap.choose(kind);
    }

    final long allocate(Size size) {
      long address = MeasuredHeap.malloc(size.sizeBytes);
      for (long at = 0; at + Long.BYTES <= size.sizeBytes; at += OS_PAGE_BYTES) {
        MeasuredHeap.putWord(address + at, at);
      }
      return address;
    }

    final void free(long address) {
      MeasuredHeap.free(address);
    }
  }

  /** The C library's. */
  @State(Scope.Benchmark)
  public static class Malloc extends Heap {
    /** As JMH asks for it. */
    public Malloc() {
      super(HeapKind.MALLOC);
    }
  }

  /** jemalloc, which must be preloaded: {@code ./arenal buffers} does it. */
  @State(Scope.Benchmark)
  public static class Jemalloc extends Heap {
    /** As JMH asks for it. */
    public Jemalloc() {
      super(HeapKind.JEMALLOC);
    }
  }

  /** mimalloc, opened when it is needed. */
  @State(Scope.Benchmark)
  public static class Mimalloc extends Heap {
    /** As JMH asks for it. */
    public Mimalloc() {
      super(HeapKind.MIMALLOC);
    }
  }

  /** A shared arena of the JDK for each buffer. */
  static Arena jdkShared(Size size) {
    Arena arena = Arena.ofShared();
    touch(arena.allocate(size.sizeBytes, 16));
    return arena;
  }

  /** One segment for each thread, for ever: the time without an allocation. */
  @State(Scope.Thread)
  public static class Nothing {
    private MemorySegment segment = MemorySegment.NULL;

    /** Takes it once. */
    @Setup(Level.Trial)
    public void open(Size size) {
      segment = Arena.global().allocate(size.sizeBytes, 16);
    }

    MemorySegment allocate() {
      touch(segment);
      return segment;
    }
  }

  /** Opened when it is needed, as those below. */
  private static final class OnePages {
    static final PageAllocator ALLOCATOR = open(false);
  }

  private static final class OneZeroedPages {
    static final PageAllocator ALLOCATOR = open(true);
  }

  private static final class OneAdaptive {
    static final ByteBufAllocator ALLOCATOR = new AdaptiveByteBufAllocator(true, true);
  }

  private static final class OnePooled {
    static final ByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(true);
  }

  private static PageAllocator open(boolean isZeroed) {
    return PageAllocator.builder("buffers").capacityBytes(CAPACITY_BYTES).zeroed(isZeroed).build();
  }

  private static PageBuffer touched(PageBuffer buffer) {
    touch(buffer.segment());
    return buffer;
  }

  static void touch(MemorySegment segment) {
    for (long at = 0; at + Long.BYTES <= segment.byteSize(); at += OS_PAGE_BYTES) {
      segment.set(ValueLayout.JAVA_LONG, at, at);
    }
  }

  private static ByteBuf touched(ByteBuf buffer) {
    for (int at = 0; at + Long.BYTES <= buffer.capacity(); at += (int) OS_PAGE_BYTES) {
      buffer.setLongLE(at, at);
    }
    return buffer;
  }
}
