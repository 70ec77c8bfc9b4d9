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
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A buffer is allocated, touched in each OS page, and freed by the same thread; by its size, on as
 * many threads as JMH is told, which share the allocator. More threads than cores share these.
 *
 * <p>One buffer at a time is what caches are best at. {@code ./arenal churn} has random lifetimes
 * and sizes, and {@link BuffersHandedOver} has buffers that another thread frees.
 */
public class Buffers extends BufferBenchmark {
  /** Arenal, memory as it is. */
  @Benchmark
  public void arenal(Pages pages, Size size) {
    pages.allocate(size).close();
  }

  /** Arenal, memory zeroed. */
  @Benchmark
  public void arenalZeroed(ZeroedPages pages, Size size) {
    pages.allocate(size).close();
  }

  /** Netty's adaptive allocator. */
  @Benchmark
  public void nettyAdaptive(NettyAdaptive netty, Size size) {
    var _ = netty.allocate(size).release();
  }

  /** Netty's pooled allocator. */
  @Benchmark
  public void nettyPooled(NettyPooled netty, Size size) {
    var _ = netty.allocate(size).release();
  }

  /** The C library. */
  @Benchmark
  public void mallocFree(Malloc heap, Size size) {
    heap.free(heap.allocate(size));
  }

  /** jemalloc. */
  @Benchmark
  public void jemalloc(Jemalloc heap, Size size) {
    heap.free(heap.allocate(size));
  }

  /** mimalloc. */
  @Benchmark
  public void mimalloc(Mimalloc heap, Size size) {
    heap.free(heap.allocate(size));
  }

  /** A shared arena of the JDK. */
  @Benchmark
  public void jdkShared(Size size) {
    BufferPeers.jdkShared(size).close();
  }

  /** No allocator: the touching alone. */
  @Benchmark
  public MemorySegment control(Nothing nothing) {
    return nothing.allocate();
  }
}
