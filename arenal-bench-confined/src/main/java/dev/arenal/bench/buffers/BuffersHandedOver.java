package dev.arenal.bench.buffers;

import dev.arenal.bench.buffers.BufferPeers.Jemalloc;
import dev.arenal.bench.buffers.BufferPeers.Malloc;
import dev.arenal.bench.buffers.BufferPeers.Mimalloc;
import dev.arenal.bench.buffers.BufferPeers.NettyAdaptive;
import dev.arenal.bench.buffers.BufferPeers.NettyPooled;
import dev.arenal.bench.buffers.BufferPeers.Nothing;
import dev.arenal.bench.buffers.BufferPeers.Pages;
import dev.arenal.bench.buffers.BufferPeers.Size;
import dev.arenal.bench.buffers.BufferPeers.ZeroedPages;
import dev.arenal.page.PageBuffer;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Control;

/**
 * A buffer is allocated, touched in each OS page, and freed by another thread: each hands what it
 * has allocated to the next one, through a queue of its own for each pair, and frees what the one
 * before has allocated. Allocated and freed in turn, so the time is that of one buffer of each.
 *
 * <p>Queues cost the same for all peers; {@code control} is the queues alone, with a segment that
 * no thread allocates.
 */
@Threads(2)
public class BuffersHandedOver extends BufferBenchmark {
  /** Arenal, memory as it is. */
  @Benchmark
  public void arenal(Pages pages, Size size, HandoverPair pair, Control control) {
    pair.exchange(pages.allocate(size), BuffersHandedOver::close, control);
  }

  /** Arenal, memory zeroed. */
  @Benchmark
  public void arenalZeroed(ZeroedPages pages, Size size, HandoverPair pair, Control control) {
    pair.exchange(pages.allocate(size), BuffersHandedOver::close, control);
  }

  /** Netty's adaptive allocator. */
  @Benchmark
  public void nettyAdaptive(NettyAdaptive netty, Size size, HandoverPair pair, Control control) {
    pair.exchange(netty.allocate(size), BuffersHandedOver::release, control);
  }

  /** Netty's pooled allocator. */
  @Benchmark
  public void nettyPooled(NettyPooled netty, Size size, HandoverPair pair, Control control) {
    pair.exchange(netty.allocate(size), BuffersHandedOver::release, control);
  }

  /** The C library. */
  @Benchmark
  public void mallocFree(Malloc heap, Size size, HandoverPair pair, Control control) {
    pair.exchange(new Block(heap.allocate(size)), BuffersHandedOver::freeBlock, control);
  }

  /** jemalloc. */
  @Benchmark
  public void jemalloc(Jemalloc heap, Size size, HandoverPair pair, Control control) {
    pair.exchange(new Block(heap.allocate(size)), BuffersHandedOver::freeBlock, control);
  }

  /** mimalloc. */
  @Benchmark
  public void mimalloc(Mimalloc heap, Size size, HandoverPair pair, Control control) {
    pair.exchange(new Block(heap.allocate(size)), BuffersHandedOver::freeBlock, control);
  }

  /** A shared arena of the JDK. */
  @Benchmark
  public void jdkShared(Size size, HandoverPair pair, Control control) {
    pair.exchange(BufferPeers.jdkShared(size), arena -> ((Arena) arena).close(), control);
  }

  /** No allocator: the touching and the queues. */
  @Benchmark
  public void control(Nothing nothing, HandoverPair pair, Control control) {
    pair.exchange(nothing.allocate(), _ -> {}, control);
  }

  /** Frees a buffer of any peer; what the control hands over is for ever. */
  static void free(Object buffer) {
    switch (buffer) {
      case PageBuffer page -> page.close();
      case ByteBuf bytes -> release(bytes);
      case Block block -> freeBlock(block);
      case Arena arena -> arena.close();
      default -> {}
    }
  }

  private static void close(Object buffer) {
    ((PageBuffer) buffer).close();
  }

  private static void release(Object buffer) {
    var _ = ((ByteBuf) buffer).release();
  }

  private static void freeBlock(Object buffer) {
    MeasuredHeap.free(((Block) buffer).address());
  }

  /** An address on its way: numbers do not go through a queue. */
  private record Block(long address) {}
}
