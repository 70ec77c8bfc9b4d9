package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.Nodes;
import dev.arenal.elastic.chunk.SpaceCounters;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.ReserveFailedException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a new {@link ElasticSpace}. By default a space grows without limit, commits OS pages
 * as its arenas need them, and keeps 512 KiB of free memory committed.
 *
 * <p>Not thread-safe. A value that is never possible, such as a negative delay, is refused at once
 * with an {@link IllegalArgumentException}; {@link #build} checks the rest.
 */
public final class ElasticSpaceBuilder {
  /** Enough for an arena of a request to be opened and closed without a page fault. */
  private static final long BALANCED_RESERVE_BYTES = 512 * 1024;

  /** Each may be a mapping of its own, of which the kernel allows a number only. */
  private static final long PROTECTED_GRANULE_BYTES = 64 << 10;

  /** Longer than any program runs; a longer one does not fit into nanoseconds. */
  private static final Duration LONGEST_DELAY = Duration.ofNanos(Long.MAX_VALUE);

  /** More memory than any machine has; sums with it do not overflow. */
  private static final long LARGEST_RESERVE_BYTES = 1L << 60;

  private static final long LONGEST_CLOSE_WAIT_NANOS = 1_000_000_000L;

  private final String name;
  private @Nullable OperatingSystem os;
  private long fixedSizeBytes;
  private long granuleBytes;
  private @Nullable CommitMode commitMode;
  private @Nullable Budget budget;
  private ReclaimPolicy reclaimPolicy = ReclaimPolicy.BALANCED;
  private long reserveBytes = -1;
  private Duration uncommitDelay = Duration.ZERO;
  private long longestCloseWaitNanos = LONGEST_CLOSE_WAIT_NANOS;
  private @Nullable Pretouch pretouch;

  ElasticSpaceBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * The size of a space that is one mapping and never grows, rounded up to whole granules. Below 32
   * GiB the space has {@linkplain ElasticSpace#reference 32-bit references}. By default a space
   * takes as many mappings as it needs.
   */
  public ElasticSpaceBuilder fixedSizeBytes(long sizeBytes) {
    if (sizeBytes <= 0) {
      throw new IllegalArgumentException(
          describe("fixed size is not positive: sizeBytes=" + sizeBytes));
    }
    fixedSizeBytes = sizeBytes;
    return this;
  }

  /**
   * The unit of commit: a power of two from the OS page to 16 MiB. Larger granules mean fewer
   * system calls, but small arenas pin more memory. By default, and for 0, it is the OS page; with
   * {@link CommitMode#PROTECT}, where a granule may need a mapping of its own, it is 64 KiB, as in
   * HotSpot.
   */
  public ElasticSpaceBuilder granuleBytes(long sizeBytes) {
    granuleBytes = sizeBytes;
    return this;
  }

  /** How granules are committed; by default as the overcommit setting of the kernel requires. */
  public ElasticSpaceBuilder commitMode(CommitMode mode) {
    commitMode = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /** The budget for committed memory; several spaces may share one. Unlimited by default. */
  public ElasticSpaceBuilder budget(Budget sharedBudget) {
    budget = Objects.requireNonNull(sharedBudget, "sharedBudget");
    return this;
  }

  /** When memory goes back; balanced by default. */
  public ElasticSpaceBuilder reclaimPolicy(ReclaimPolicy policy) {
    reclaimPolicy = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * The reserve: the most free committed memory that the space keeps for the next arena. It may
   * keep as much again in blocks that were given back early. The default is 512 KiB, or four
   * granules if that is more; it is 0 if the policy is {@link ReclaimPolicy#AGGRESSIVE}. Memory
   * goes back in batches: a 256th of the committed memory, but no more than the size of the
   * reserve, may wait for the next batch.
   */
  public ElasticSpaceBuilder reserveBytes(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(describe("reserve is negative: sizeBytes=" + sizeBytes));
    }
    reserveBytes = Math.min(sizeBytes, LARGEST_RESERVE_BYTES);
    return this;
  }

  /**
   * How long memory beyond the reserve must have been free before it goes back; zero, the default,
   * means at once. With a delay, a daemon thread that all spaces share gives the memory back.
   */
  public ElasticSpaceBuilder uncommitDelay(Duration delay) {
    if (Objects.requireNonNull(delay, "delay").isNegative()) {
      throw new IllegalArgumentException(describe("uncommit delay is negative: delay=" + delay));
    }
    uncommitDelay = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    return this;
  }

  /**
   * Memory that {@link #build} commits and makes resident, as {@link ElasticSpace#pretouch} does
   * later; none by default. If the pretouch fails, the build fails and leaves nothing behind.
   */
  public ElasticSpaceBuilder pretouch(Pretouch settings) {
    pretouch = Objects.requireNonNull(settings, "settings");
    return this;
  }

  /** Stands in for the kernel in tests. */
  ElasticSpaceBuilder operatingSystem(OperatingSystem simulated) {
    os = simulated;
    return this;
  }

  /** How long the close of a damaged space waits for what is claimed, and may be lost. */
  ElasticSpaceBuilder longestCloseWait(Duration wait) {
    longestCloseWaitNanos = wait.toNanos();
    return this;
  }

  /**
   * Reserves the first address space and opens the space.
   *
   * @throws IllegalArgumentException if the settings do not fit each other or this machine, or the
   *     pretouch of a growable space has no size
   * @throws dev.arenal.OutOfNativeMemoryError if the operating system refuses the address space of
   *     a fixed space, or there is not enough memory for the pretouch
   * @throws java.util.concurrent.CancellationException if the pretouch was cancelled
   * @throws UnsupportedOperationException on systems other than Linux on x86-64 or aarch64
   * @throws IllegalCallerException if native access is denied to this module
   */
  public ElasticSpace build() {
    SpaceSettings settings = settings(os == null ? OperatingSystem.current() : os);
    SpaceCounters counters = new SpaceCounters();
    Nodes nodes = settings.newNodes(counters);
    if (pretouch != null) {
      SpacePretouch.checkNew(settings, pretouch);
    }
    if (!settings.isGrowable()) {
      try {
        var _ = nodes.addExactly(settings.fixedSizeBytes(), Chunk.ROOT_BYTES);
      } catch (ReserveFailedException e) {
        String message =
            "address space refused: space="
                + name
                + ", requestedBytes="
                + fixedSizeBytes
                + ", errno="
                + settings.os().describe(e.errno())
                + " ("
                + OperatingSystem.adviceOnAddresses(e.errno())
                + ")";
        throw Ledger.of(settings.budget()).refusal(message, name, fixedSizeBytes, 0);
      }
    }
    ElasticSpace space;
    try {
      space = new ElasticSpace(new SpaceState(settings, nodes, counters));
    } catch (Throwable e) { // the Java heap is full
      nodes.release();
      throw e;
    }
    if (pretouch != null) {
      try {
        var _ = space.pretouch(pretouch);
      } catch (Throwable e) {
        closeAfter(e, space);
        throw e;
      }
    }
    return space;
  }

  private static void closeAfter(Throwable failure, ElasticSpace space) {
    try {
      space.close();
    } catch (RuntimeException | Error e) { // why it has failed matters more; the handle is lost
      if (!(e instanceof VirtualMachineError)) {
        failure.addSuppressed(e);
      }
    }
  }

  private SpaceSettings settings(OperatingSystem system) {
    long pageBytes = system.pageSizeBytes();
    CommitMode usualMode = system.overcommits() ? CommitMode.DISCARD : CommitMode.PROTECT;
    CommitMode mode = commitMode == null ? usualMode : commitMode;
    long usualGranule =
        mode == CommitMode.PROTECT ? Math.max(PROTECTED_GRANULE_BYTES, pageBytes) : pageBytes;
    long granule = granuleBytes == 0 ? usualGranule : granuleBytes;
    if (Long.bitCount(granule) != 1 || granule < pageBytes || granule > Chunk.ROOT_BYTES) {
      throw new IllegalArgumentException(
          describe("granule is wrong: granuleBytes=" + granule)
              + " (expected a power of two from "
              + pageBytes
              + " to "
              + Chunk.ROOT_BYTES
              + ")");
    }
    boolean aggressive = reclaimPolicy == ReclaimPolicy.AGGRESSIVE;
    long usualReserve = aggressive ? 0 : Math.max(BALANCED_RESERVE_BYTES, 4 * granule);
    return new SpaceSettings(
        name,
        system.named(name),
        (fixedSizeBytes + granule - 1) & -granule,
        granule,
        mode,
        budget == null ? Budget.unlimited(name) : budget,
        reclaimPolicy,
        reserveBytes < 0 ? usualReserve : reserveBytes,
        uncommitDelay,
        longestCloseWaitNanos);
  }

  private String describe(String what) {
    return what + ", space=" + name;
  }
}
