package dev.arenal.bench;

import dev.arenal.bench.BufferPeers.Jemalloc;
import dev.arenal.bench.BufferPeers.Malloc;
import dev.arenal.bench.BufferPeers.Mimalloc;
import dev.arenal.bench.BufferPeers.NettyAdaptive;
import dev.arenal.bench.BufferPeers.NettyPooled;
import dev.arenal.bench.BufferPeers.Nothing;
import dev.arenal.bench.BufferPeers.Pages;
import dev.arenal.bench.BufferPeers.Size;
import dev.arenal.bench.BufferPeers.ZeroedPages;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;

/**
 * A buffer is allocated, touched in each OS page, and freed by the same thread; by its size, on one
 * to sixteen threads that share the allocator. The time is that of one buffer as its thread sees
 * it; more threads than cores share them.
 *
 * <p>One buffer at a time is what caches are best at. {@code ./arenal churn} has random lifetimes
 * and sizes, and {@link BuffersHandedOver} has buffers that another thread frees.
 */
public abstract class Buffers extends BufferBenchmark {
  /** One thread alone. */
  @Threads(1)
  public static class One extends Buffers {}

  /** Two threads. */
  @Threads(2)
  public static class Two extends Buffers {}

  /** Four threads. */
  @Threads(4)
  public static class Four extends Buffers {}

  /** Sixteen threads. */
  @Threads(16)
  public static class Sixteen extends Buffers {}

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
