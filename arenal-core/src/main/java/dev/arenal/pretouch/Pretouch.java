package dev.arenal.pretouch;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The extent and manner of a pretouch, which makes memory resident before it is needed, so that a
 * shortage of memory shows at once, and no thread waits for page faults later.
 *
 * <p>Like {@code -XX:+AlwaysPreTouch} for memory outside the Java heap, but it asks first. Before
 * the first page, and again on the way, it compares the requested size with the memory available on
 * the machine and in the control groups of the container, and with the limits of the process and
 * the budget. If the memory is not available, it fails within some milliseconds with an {@link
 * OutOfMemoryError} that has all the figures, and the kernel's OOM killer is not involved. A
 * pretouch that fails or is cancelled gives back the memory that it took. Memory in use is left
 * alone.
 *
 * <pre>{@code
 * PageAllocator pages =
 *     PageAllocator.builder("buffers").capacityBytes(4L << 30).pretouch(Pretouch.all()).build();
 * ElasticSpace space = ...;
 * PretouchReport report = space.pretouch(Pretouch.upTo(1L << 30).withHugePages());
 * }</pre>
 *
 * <p>Immutable: each method returns another one. <b>Cost:</b> mostly the kernel's, which has to
 * clear each page; about a third of a second per GiB and core with pages of 4 KiB, much less with
 * huge ones. See {@code docs/pretouch.md}.
 */
public final class Pretouch {
  /** As many threads as the container has cores. */
  public static final int ALL_CORES = 0;

  /** No NUMA node in particular. */
  public static final int ANY_NODE = -1;

  /** The node of the thread that asks. */
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

  /** All that the memory may take: a fixed size, a capacity, a whole reservation. */
  public static Pretouch all() {
    return upTo(Long.MAX_VALUE);
  }

  /**
   * Pretouches until a number of bytes is committed, those in use included, and the free ones are
   * resident; or all, if that is less.
   *
   * @throws IllegalArgumentException if it is negative
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
   * Touches with a number of threads, the calling one among them; by default as many as the
   * container has cores.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public Pretouch threads(int count) {
    if (count <= 0) {
      throw new IllegalArgumentException(
          "number of threads is not positive: threads=" + count + " (expected 1 or more)");
    }
    return with(copy -> copy.threadCount = count);
  }

  /**
   * Asks for transparent huge pages of 2 MiB; where the kernel has none, pages of another size are
   * used; the report says how many. Several times faster. Only what is touched now: memory that
   * goes back and comes again has small pages, but in reserved memory.
   */
  public Pretouch withHugePages() {
    return with(copy -> copy.hugePages = true);
  }

  /**
   * By this method; by default {@link PretouchMethod#POPULATE} where the kernel has it. Where it
   * has not, pages are touched regardless of this setting.
   */
  public Pretouch method(PretouchMethod how) {
    PretouchMethod wanted = Objects.requireNonNull(how, "how");
    return with(copy -> copy.method = wanted);
  }

  /**
   * By threads of one NUMA node, so that the memory lies there, as far as it has some; by default
   * on any free cores. On a machine with one node it has no effect.
   *
   * @param node its number, or {@link #THIS_NODE}
   * @throws IllegalArgumentException if it is negative and not {@link #THIS_NODE}
   */
  public Pretouch onNode(int node) {
    if (node < 0 && node != THIS_NODE) {
      throw new IllegalArgumentException(
          "NUMA node is negative: node=" + node + " (expected 0 or more, or THIS_NODE)");
    }
    return with(copy -> copy.node = node);
  }

  /**
   * Pretouches without asking whether the memory is there: for programs that know more than the
   * figures show. The budget still counts. If the memory is not available, the kernel may end this
   * process or another one.
   */
  public Pretouch forced() {
    return with(copy -> copy.forced = true);
  }

  /** Reports progress to a listener. */
  public Pretouch onProgress(PretouchProgress listener) {
    PretouchProgress told = Objects.requireNonNull(listener, "listener");
    return with(copy -> copy.progress = told);
  }

  /**
   * Asks every few milliseconds whether to give up: the pretouch then ends with a {@link
   * java.util.concurrent.CancellationException}. So does an interrupt of the thread that asked for
   * the pretouch, which stays interrupted.
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

  /** Whether huge pages are asked for. */
  public boolean hugePages() {
    return values.hugePages;
  }

  /** By which method; null if that is left to the kernel's abilities. */
  public @Nullable PretouchMethod method() {
    return values.method;
  }

  /** A NUMA node, or {@link #ANY_NODE} or {@link #THIS_NODE}. */
  public int node() {
    return values.node;
  }

  /** Whether the machine is not asked. */
  public boolean isForced() {
    return values.forced;
  }

  /** Is told how far it is. */
  public PretouchProgress progress() {
    return values.progress;
  }

  /** Says whether to give up. */
  public BooleanSupplier cancelled() {
    return values.cancelled;
  }
}
