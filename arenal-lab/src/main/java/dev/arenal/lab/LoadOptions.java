package dev.arenal.lab;

import dev.arenal.lab.buffers.BufferSizes;
import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;

/** The common options of churn and burst: allocators, threads and sizes. */
final class LoadOptions {
  @Option(
      names = "--allocators",
      paramLabel = "NAME",
      split = ",",
      description = {
        "Only these: arenal, arenal-short, netty-adaptive, netty-pooled, malloc, malloc-trim,"
            + " jemalloc, jemalloc-decay, mimalloc; also arenal-zeroed, which is not among the"
            + " default ones."
      })
  private List<String> allocators = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description = "Numbers of threads, one run for each.")
  private List<Integer> threads = List.of();

  @Option(
      names = "--least",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The smallest buffer (64).")
  private long leastBytes = BufferSizes.USUAL.leastBytes();

  @Option(
      names = "--most",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The largest buffer (4m).")
  private long mostBytes = BufferSizes.USUAL.mostBytes();

  @Option(
      names = "--median",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The median of all sizes (4k).")
  private long medianBytes = BufferSizes.USUAL.medianBytes();

  @Option(
      names = "--sigma",
      paramLabel = "X",
      description = "The spread of their logarithm (${DEFAULT-VALUE}).")
  private double sigma = BufferSizes.USUAL.sigma();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the sizes (${DEFAULT-VALUE}).")
  private long seed = BufferSizes.USUAL.seed();

  /** The allocators asked for, or the usual ones that this machine has. */
  Choice<PeerKind> choice(boolean isQuick, List<PeerKind> notQuick) throws IOException {
    return allocators.isEmpty()
        ? usual(isQuick ? notQuick : List.of(), "left out with --quick: ")
        : Choice.named(HeapLibraries.ofThisMachine(), List.of(PeerKind.values()), allocators);
  }

  /** All that are usually compared and that this machine has, and a remark on those left out. */
  static Choice<PeerKind> usual(List<PeerKind> leftOut, String remark) throws IOException {
    return Choice.without(HeapLibraries.ofThisMachine(), PeerKind.USUAL, leftOut, remark);
  }

  List<Integer> threads(List<Integer> usual) {
    return threads.isEmpty() ? usual : threads;
  }

  BufferSizes sizes() {
    return new BufferSizes(clamp(leastBytes), clamp(mostBytes), clamp(medianBytes), sigma, seed);
  }

  /** A buffer of two gigabytes is none: the check of the sizes says what is wrong with it. */
  private static int clamp(long bytes) {
    return (int) Math.min(Integer.MAX_VALUE, bytes);
  }
}
