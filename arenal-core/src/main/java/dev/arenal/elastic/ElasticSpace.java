package dev.arenal.elastic;

import dev.arenal.guard.FirstUse;
import dev.arenal.guard.StackReserve;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.ResidentCount;
import dev.arenal.stats.StatisticsTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Native memory that many owners share. A space opens {@linkplain ElasticArena arenas}, and gives
 * the memory of closed arenas back to the operating system.
 *
 * <p>A space reserves address space in nodes, cuts it into chunks for its arenas and commits it
 * granule by granule against a budget. When an arena is closed, its chunks merge with their free
 * buddies, and granules without a live block go back, except for a small reserve. This is HotSpot's
 * elastic metaspace (JEP 387) for the memory of applications.
 *
 * <pre>{@code
 * ElasticSpace tenants = ElasticSpace.builder("tenants").build();
 * try (ElasticArena tenant = tenants.openConfined("tenant-7")) {
 *   MemorySegment row = tenant.allocate(48);
 * }
 * }</pre>
 *
 * <p><b>Threading:</b> all methods may be called by any thread. <b>Cost:</b> opening and closing an
 * arena take the lock of the space for well below a microsecond; allocations take it when an arena
 * needs another chunk or granule. Metadata lies on the Java heap, in arrays of numbers: about 0.03
 * % of the memory in use with large arenas, up to 3 % with tiny ones. An open arena is a handful of
 * objects.
 */
public final class ElasticSpace implements AutoCloseable {
  private final SpaceState state;
  private final SpaceLeak leak;

  /** Held by the budget weakly: it must live exactly as long as this handle. */
  private final LongSupplier reclaimer;

  ElasticSpace(SpaceState state) {
    this.state = state;
    this.reclaimer =
        new LongSupplier() { // no lambda: to link one is a good part of a program's first use
          @Override
          public long getAsLong() {
            return state.reclaim();
          }
        };
    this.leak = SpaceLeak.watch(this, state);
    try {
      Ledger.of(state.settings.budget()).addReclaimer(reclaimer);
      state.statistics.openIfWanted();
    } catch (Throwable e) { // the Java heap is full: there never was a handle
      leak.cancel();
      Ledger.of(state.settings.budget()).removeReclaimer(reclaimer);
      throw e;
    }
  }

  /** Begins to build a space; the name appears in errors, reports and events. */
  public static ElasticSpaceBuilder builder(String name) {
    OperatingSystem.prepare();
    FirstUse.ofSpaces();
    return new ElasticSpaceBuilder(name);
  }

  /**
   * Opens an arena for the calling thread only, without a name and with adaptive growth.
   *
   * @throws IllegalStateException if the space is closed or damaged
   */
  public ElasticArena openConfined() {
    return open(new ConfinedArena(state, null, ArenaGrowth.ADAPTIVE));
  }

  /**
   * Opens an arena for the calling thread only, with adaptive growth.
   *
   * @param name the name in reports and messages; null for none
   * @throws IllegalStateException if the space is closed or damaged
   */
  public ElasticArena openConfined(@Nullable String name) {
    return open(new ConfinedArena(state, name, ArenaGrowth.ADAPTIVE));
  }

  /**
   * Opens an arena for the calling thread only, with the lifetime of {@link Arena#ofConfined()}.
   *
   * @param name the name in reports and messages; null for none
   * @param growth the expected growth
   * @throws IllegalStateException if the space is closed or damaged
   */
  public ElasticArena openConfined(@Nullable String name, ArenaGrowth growth) {
    return open(new ConfinedArena(state, name, growth));
  }

  /**
   * Opens an arena for all threads, without a name and with adaptive growth.
   *
   * @throws IllegalStateException if the space is closed or damaged
   */
  public ElasticArena openShared() {
    return open(new SharedArena(state, null, ArenaGrowth.ADAPTIVE));
  }

  /**
   * Opens an arena for all threads, with adaptive growth.
   *
   * @param name the name in reports and messages; null for none
   * @throws IllegalStateException if the space is closed or damaged
   */
  public ElasticArena openShared(@Nullable String name) {
    return open(new SharedArena(state, name, ArenaGrowth.ADAPTIVE));
  }

  /**
   * Opens an arena for all threads. Its lifetime and the cost of its close are those of {@link
   * Arena#ofShared()}.
   *
   * @param name the name in reports and messages; null for none
   * @param growth the expected growth
   * @throws IllegalStateException if the space is closed or damaged
   */
  public ElasticArena openShared(@Nullable String name, ArenaGrowth growth) {
    return open(new SharedArena(state, name, growth));
  }

  private ElasticArena open(ChunkedArena arena) {
    try {
      StackReserve.ensureShort();
      state.register(arena);
      return arena;
    } finally {
      // Pairs with SpaceLeak: this may be the last use of a handle that the program drops.
      Reference.reachabilityFence(this);
    }
  }

  /** The name it was built with. */
  public String name() {
    return state.settings.name();
  }

  /** The unit of commit, in bytes. */
  public long granuleBytes() {
    return state.settings.granuleBytes();
  }

  /** How granules are committed. */
  public CommitMode commitMode() {
    return state.settings.commitMode();
  }

  /** The budget that committed memory counts against. */
  public Budget budget() {
    return state.settings.budget();
  }

  /** Bytes of address space. */
  public long reservedBytes() {
    StackReserve.ensureShort();
    state.lock.lock();
    try {
      return state.nodes.reservedBytes();
    } finally {
      state.lock.unlock();
    }
  }

  /** Bytes in committed granules. */
  public long committedBytes() {
    StackReserve.ensureShort();
    return state.committedBytes();
  }

  /**
   * Committed bytes that are in physical memory, as the kernel reports.
   *
   * <p>A page is resident from its first touch until it goes back, except while it is swapped out.
   * A page that was only read counts, although all such pages are one page of physical memory.
   * While other threads commit, touch and give back, the sum is not of one moment. <b>Cost:</b> the
   * kernel looks at each committed page: a quarter of a millisecond for a GiB, and a microsecond
   * for each separate committed range. The lock of the space is not held meanwhile.
   *
   * @return -1 if the kernel does not report it; 0 once the space is closed
   */
  public long residentBytes() {
    StackReserve.ensure();
    try {
      return ResidentCount.count(state.settings.os(), state.lock, state.nodes::reservation);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Bytes in live blocks of open arenas. <b>Cost:</b> looks at every arena under the lock of the
   * space.
   */
  public long usedBytes() {
    StackReserve.ensure();
    state.lock.lock();
    try {
      long usedBytes = 0;
      for (int slot = 0; slot < state.capacityArenas(); slot++) {
        ChunkedArena arena = state.arena(slot);
        if (arena != null) {
          usedBytes += arena.usedBytes();
        }
      }
      return usedBytes;
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * A 32-bit reference to a block: half the size of an address in structures that keep it.
   * HotSpot's class space has such references to classes.
   *
   * <p>It is never 0. A block always has the same reference. Once the block has been given back or
   * its arena closed, a later block at the same address may get the same reference. <b>Cost:</b>
   * the lock of the space, and two bits for each word of referenced blocks.
   *
   * <p>A slice of a block and a block that has been given back are not detected: the reference then
   * names wrong memory of the same space, or cuts the block that it lies in.
   *
   * @param block a whole segment that an open arena of this space returned
   * @throws IllegalArgumentException if the block is not of an open arena of this space
   * @throws IllegalStateException if this space has no references, because it is growable or has 32
   *     GiB or more; or if it is damaged
   */
  public int reference(MemorySegment block) {
    Objects.requireNonNull(block, "block");
    StackReserve.ensure();
    state.lock.lock();
    try {
      state.damage.check();
      return references().reference(block);
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * The block that a reference names, with the size of the block and the lifetime of its arena.
   *
   * <p><b>Cost:</b> the lock of the space, and a bit to look at for each word of the block.
   *
   * @param reference a value that {@link #reference} has returned
   * @throws IllegalArgumentException if it names no block of an open arena
   * @throws IllegalStateException if this space has no references, or is damaged
   * @throws WrongThreadException if the arena of the block is confined to another thread
   */
  public MemorySegment segment(int reference) {
    StackReserve.ensure();
    state.lock.lock();
    try {
      state.damage.check();
      return references().segment(reference);
    } finally {
      state.lock.unlock();
    }
  }

  private References references() {
    References references = state.references;
    if (references == null) {
      throw new IllegalStateException(
          "space has no references: space="
              + name()
              + ", fixedSizeBytes="
              + state.settings.fixedSizeBytes()
              + " (expected a fixed size below "
              + References.MAX_SPACE_BYTES
              + ")");
    }
    return references;
  }

  /** Number of open arenas. */
  public int arenaCount() {
    StackReserve.ensureShort();
    state.lock.lock();
    try {
      return state.arenaCount();
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Makes memory resident before it is needed. It commits memory until the requested size is
   * committed, memory in use included, and makes the free part of that resident. Memory in use is
   * left alone. Arenas may allocate and be closed meanwhile.
   *
   * <p>Pretouched memory is a <em>floor</em>: below it nothing goes back by itself, regardless of
   * policy and reserve. {@link #trim} gives it back and ends the floor; another user of the budget
   * that is refused memory may take its free part. Granules that an open arena has given back
   * early, or has left behind uncommitted, stay uncommitted.
   *
   * <p><b>Cost:</b> mostly the kernel's, see {@link Pretouch}. Memory is touched outside the lock
   * of the space.
   *
   * @param settings how much memory, and how it is touched
   * @return the figures of this pretouch
   * @throws dev.arenal.OutOfNativeMemoryError with all figures, if the machine, the container or
   *     the budget does not have that much; the memory that the pretouch took has gone back
   * @throws java.util.concurrent.CancellationException if the pretouch was cancelled; the memory
   *     that it took has gone back
   * @throws IllegalArgumentException if the settings request all of a growable space, which has no
   *     end, or name a NUMA node that has no processor for this process
   * @throws IllegalStateException if the space is closed or damaged, or another pretouch is running
   */
  public PretouchReport pretouch(Pretouch settings) {
    Objects.requireNonNull(settings, "settings");
    StackReserve.ensure();
    try {
      return state.pretouch.run(settings);
    } finally {
      Reference.reachabilityFence(this); // or else the last arena might close the space meanwhile
    }
  }

  /** The report of the last pretouch that did not fail; null if there was none. */
  public @Nullable PretouchReport lastPretouch() {
    return state.pretouch.last;
  }

  /**
   * Bytes that do not go back by themselves because they were {@linkplain #pretouch pretouched}; 0
   * if there is no such floor.
   */
  public long floorBytes() {
    return state.trimmer.floor.sizeBytes();
  }

  /**
   * Gives all free committed memory back to the operating system now, including the reserve and
   * pretouched memory, which is no longer a floor. Memory that an open arena keeps for its next
   * round, or in blocks that were given back early, stays. <b>Cost:</b> the system calls, outside
   * the lock of the space.
   *
   * @return the number of bytes given back; 0 if the space is closed
   * @throws IllegalStateException if the space is damaged
   */
  public long trim() {
    StackReserve.ensure();
    try {
      state.damage.check();
      state.trimmer.floor.reset();
      return state.trimmer.discardAllAfterOthers();
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      state.damage.note(e);
      throw e;
    }
  }

  /**
   * The memory that the space holds at this moment, as a record for programs and, by {@code
   * toString}, as text. Used, free and waste always add up to committed.
   *
   * <p><b>Cost:</b> every arena, chunk in use and root chunk is looked at under the lock of the
   * space, in well below a second for a million arenas. {@link ReportDetail} has the cost of
   * details.
   *
   * @param details optional parts of the report
   * @throws IllegalStateException if the space is closed or damaged
   */
  public SpaceReport report(ReportDetail... details) {
    StackReserve.ensure();
    for (ReportDetail detail : Objects.requireNonNull(details, "details")) {
      Objects.requireNonNull(detail, "detail");
    }
    return SpaceReporter.report(state, details);
  }

  /**
   * The activity of the space per second, over the last ten seconds, ten minutes and ten hours and
   * in total: bytes committed and given back, arenas opened and closed, requests refused. The table
   * is a record and, by {@code toString}, a text in the layout of ZGC's {@code gc,stats}.
   *
   * <p>Recording begins with the first call, which therefore shows no activity yet: a program may
   * have thousands of spaces, and look at few. The system property {@code arenal.statistics=true}
   * makes each space record from its build on. While a space records, its statistics are also
   * available as an {@linkplain dev.arenal.stats.StatisticsMXBean MXBean} and as events of Java
   * Flight Recorder. A closed space returns its last table.
   *
   * <p><b>Cost:</b> some microseconds each second and for each call, with the lock of the space for
   * an instant; about 20 KiB of the Java heap after ten hours. Opening arenas and allocating cost
   * no more than before.
   *
   * @throws IllegalStateException if the space was closed before the first call
   */
  public StatisticsTable statistics() {
    StackReserve.ensure();
    return state.statistics.table();
  }

  /**
   * Checks the structures of the space against each other; for tests, and for when something looks
   * wrong. Stops allocation in all arenas meanwhile where they need the space.
   *
   * @throws AssertionError naming the invariant that does not hold
   */
  void verify() {
    StackReserve.ensure();
    SpaceVerifier.verify(state);
  }

  /**
   * Gives all memory and addresses back. Has no effect if the space is already closed.
   *
   * <p>Confined arenas whose thread has ended do not prevent a close, and their memory goes back,
   * too: no thread can use their segments, but native code must no longer use their addresses.
   * Their scopes stay alive, and their cleanup actions do not run.
   *
   * @throws IllegalStateException if another arena is open, or a pretouch is running: nothing has
   *     changed then; or if the kernel does not take the addresses back: the space is closed then,
   *     and another close tries again
   */
  @Override
  public void close() {
    StackReserve.ensure();
    state.close();
    leak.cancel();
    Ledger.of(state.settings.budget()).removeReclaimer(reclaimer);
  }

  /**
   * Whether {@link #close} has given everything back; once true, it stays true. False after a close
   * whose addresses the kernel did not take back.
   */
  public boolean isClosed() {
    StackReserve.ensureShort();
    state.lock.lock();
    try {
      return state.isClosedVolatile() && state.nodes.reservedBytes() == 0;
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Whether the space no longer serves requests, because an operation ended half-way: at the end of
   * the stack of its thread, or by an error of the library. Damage is permanent. A damaged space
   * commits nothing and opens no arena; an open arena may still hand out memory that it has at
   * hand. When its arenas and then the space are closed, all memory goes back. Figures can still be
   * read, but may be wrong; {@link #report} fails.
   */
  public boolean isDamaged() {
    return state.damage.isNoted();
  }

  @Override
  public String toString() {
    return "ElasticSpace[name=" + name() + ", committedBytes=" + committedBytes() + "]";
  }
}
