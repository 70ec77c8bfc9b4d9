package dev.arenal.pretouch;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a pretouch: how much memory it touches, and how. A pretouch makes memory resident
 * before it is needed. A shortage of memory then shows at once, and no thread waits for page faults
 * later.
 *
 * <p>It is like {@code -XX:+AlwaysPreTouch} for memory outside the Java heap, but with checks.
 * Before the first page, and again while it runs, a pretouch compares the requested size with the
 * memory that is available on the machine and in the control groups of the container, and with the
 * limits of the process and the budget. If there is not enough, it fails within some milliseconds
 * with an {@link dev.arenal.OutOfNativeMemoryError} that has all figures; the kernel's OOM killer
 * does not come into play. A pretouch that fails or is cancelled gives back the memory that it
 * took. Memory in use is left alone.
 *
 * <pre>{@code
 * PageAllocator pages =
 *     PageAllocator.builder("buffers").capacityBytes(4L << 30).pretouch(Pretouch.all()).build();
 * ElasticSpace space = ...;
 * PretouchReport report = space.pretouch(Pretouch.upTo(1L << 30).withHugePages());
 * }</pre>
 *
 * <p>Immutable: each method returns a new object. <b>Cost:</b> mostly that of the kernel, which
 * clears each page: about a third of a second per GiB and core with pages of 4 KiB, much less with
 * huge ones. See {@code docs/pretouch.md}.
 */
public final class Pretouch {
  /** As many threads as the container has cores. */
  public static final int ALL_CORES = 0;

  /** No NUMA node in particular. */
  public static final int ANY_NODE = -1;

  /** The node of the thread that requests the pretouch. */
  public static final int THIS_NODE = -2;

  private final Values values;

  private Pretouch(Values values) {
    this.values = values;
  }

  /** Never changed once a pretouch has them. */
  private static final class Values {
    long mostBytes;
    int threadCount = ALL_CORES;
    boolean hugePages;
    @Nullable PretouchMethod method;
    int node = ANY_NODE;
    boolean forced;
    PretouchProgress progress = (doneBytes, totalBytes) -> {};
    BooleanSupplier cancelled = () -> false;

    Values copy() {
      Values copy = new Values();
      copy.mostBytes = mostBytes;
      copy.threadCount = threadCount;
      copy.hugePages = hugePages;
      copy.method = method;
      copy.node = node;
      copy.forced = forced;
      copy.progress = progress;
      copy.cancelled = cancelled;
      return copy;
    }
  }

  private Pretouch with(Consumer<Values> change) {
    Values copy = values.copy();
    change.accept(copy);
    return new Pretouch(copy);
  }

  /**
   * Pretouches all memory that the owner may take: a fixed size, a capacity, a whole reservation.
   */
  public static Pretouch all() {
    return upTo(Long.MAX_VALUE);
  }

  /**
   * Pretouches until {@code sizeBytes} bytes are committed, memory in use included, and the free
   * ones are resident; or all memory, if that is less.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public static Pretouch upTo(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("pretouch is negative: sizeBytes=" + sizeBytes);
    }
    Values values = new Values();
    values.mostBytes = sizeBytes;
    return new Pretouch(values);
  }

  /**
   * Touches with {@code count} threads, including the calling one; by default as many as the
   * container has cores.
   *
   * @param count 1 or more, or {@link #ALL_CORES}
   * @throws IllegalArgumentException if the number is negative
   */
  public Pretouch threads(int count) {
    if (count < 0) {
      throw new IllegalArgumentException(
          "number of threads is negative: threads="
              + count
              + " (expected 1 or more, or ALL_CORES)");
    }
    return with(copy -> copy.threadCount = count);
  }

  /**
   * Uses transparent huge pages of 2 MiB, as far as the kernel has them: several times faster. The
   * report has their number. Memory that goes back and is committed again has small pages, except
   * in {@code ReservedMemory}.
   */
  public Pretouch withHugePages() {
    return with(copy -> copy.hugePages = true);
  }

  /**
   * Sets the method; by default {@link PretouchMethod#POPULATE}. On a kernel that does not have
   * that, the method is {@link PretouchMethod#TOUCH} regardless of this setting.
   */
  public Pretouch method(PretouchMethod how) {
    PretouchMethod wanted = Objects.requireNonNull(how, "how");
    return with(copy -> copy.method = wanted);
  }

  /**
   * Uses threads on one NUMA node only, so that the memory lies there as far as the node has
   * memory; by default threads run on any core. Node 0 and {@link #THIS_NODE} have no effect on a
   * machine with one node; a node without a processor for this process is refused when the pretouch
   * begins.
   *
   * @param node the number of the node, {@link #THIS_NODE} or {@link #ANY_NODE}
   * @throws IllegalArgumentException if the number is negative and none of these
   */
  public Pretouch onNode(int node) {
    if (node < 0 && node != THIS_NODE && node != ANY_NODE) {
      throw new IllegalArgumentException(
          "NUMA node is negative: node=" + node + " (expected 0 or more, THIS_NODE or ANY_NODE)");
    }
    return with(copy -> copy.node = node);
  }

  /**
   * Skips the check of available memory, for programs that know more than the figures show. The
   * budget still counts. If the memory is not available, the kernel may end this process or another
   * one.
   */
  public Pretouch forced() {
    return with(copy -> copy.forced = true);
  }

  /** Reports progress to {@code listener}. */
  public Pretouch onProgress(PretouchProgress listener) {
    PretouchProgress told = Objects.requireNonNull(listener, "listener");
    return with(copy -> copy.progress = told);
  }

  /**
   * Cancels the pretouch when {@code condition} holds: it then throws a {@link
   * java.util.concurrent.CancellationException}. The condition is tested every few milliseconds, by
   * one thread at a time, but not always the same one. An exception of the condition ends the
   * pretouch, too. An interrupt of the thread that requested the pretouch also cancels it; the
   * thread stays interrupted.
   */
  public Pretouch cancelWhen(BooleanSupplier condition) {
    BooleanSupplier asked = Objects.requireNonNull(condition, "condition");
    return with(copy -> copy.cancelled = asked);
  }

  /** The bytes to be committed at the end, memory in use included. */
  public long mostBytes() {
    return values.mostBytes;
  }

  /** Number of threads, or {@link #ALL_CORES}. */
  public int threadCount() {
    return values.threadCount;
  }

  /** Whether huge pages are requested. */
  public boolean hugePages() {
    return values.hugePages;
  }

  /** The method; null if none was set. */
  public @Nullable PretouchMethod method() {
    return values.method;
  }

  /** A NUMA node, or {@link #ANY_NODE} or {@link #THIS_NODE}. */
  public int node() {
    return values.node;
  }

  /** Whether the check of available memory is skipped. */
  public boolean isForced() {
    return values.forced;
  }

  /** The listener for progress. */
  public PretouchProgress progress() {
    return values.progress;
  }

  /** The condition that cancels the pretouch. */
  public BooleanSupplier cancelled() {
    return values.cancelled;
  }
}
