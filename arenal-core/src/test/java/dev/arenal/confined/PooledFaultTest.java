package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.arenal.conformance.Contents;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultLoader;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each place where heap or stack may end in an arena's life, one after the other. */
@Timeout(120)
final class PooledFaultTest {
  @ParameterizedTest
  @EnumSource(names = {"HEAP", "STACK"})
  void everyPlaceInThreadsWithASlab_losesNothing(Fault fault) {
    assertThat(FaultSweep.everyPlace(Nested.class, fault, 1)).isPositive();
    assertThat(FaultSweep.fromEveryPlace(Nested.class, fault, 1)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP", "STACK"})
  void everyPlaceInAFreshThread_losesNothing(Fault fault) {
    assertThat(FaultSweep.everyPlace(Fresh.class, fault, 1)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAP", "RESERVE"})
  void everyPlace_whileASlotGetsMemory_losesNoSlot(Fault fault) {
    assertThat(FaultSweep.everyPlace(Slot.class, fault, 1)).isPositive();
    if (Slot.PART_COUNT > 1) {
      assertThat(FaultSweep.everyPlace(LaterSlot.class, fault, 1)).isPositive();
    }
  }

  /** In a loader of its own, which may go, so that the collector frees its slabs. */
  @Test
  void slotsWithoutMemory_arePassedOver_whileMemoryIsRefused() throws Exception {
    assumeThat(Slot.PART_COUNT)
        .as("parts, of which a machine with many cores has one")
        .isGreaterThan(1);
    FaultProgram program = new FaultLoader().newProgram(RefusedSlot.class);
    program.prepare();
    program.operate();
    program.check(null);
  }

  @Test
  void everyPlaceInTheCheckedMode_leavesTheArenaDead() {
    assertThat(FaultSweep.everyPlace(Checked.class, Fault.HEAP, 1)).isPositive();
  }

  /** Two arenas, one in the other, beside a third one that holds a stamped block. */
  public static class Nested implements FaultProgram {
    private final List<Arena> opened = new ArrayList<>();
    private @Nullable Arena bystander;
    private @Nullable MemorySegment stamped;
    private int slabCount;

    /** For the sweep. */
    public Nested() {}

    @Override
    public void prepare() {
      Arena arena = PooledArena.ofConfined();
      stamped = arena.allocate(64).fill((byte) 7);
      bystander = arena;
      slabCount = slabCount();
    }

    @Override
    public void operate() {
      Arena first = PooledArena.ofConfined();
      opened.add(first);
      fill(first.allocate(100));
      Arena second = PooledArena.ofConfined();
      opened.add(second);
      fill(second.allocate(2000));
      fill(first.allocate(8));
      second.close();
      first.close();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      if (thrown instanceof AssertionError e) {
        throw e;
      }
      for (Arena arena : opened) {
        if (arena.scope().isAlive()) {
          arena.close();
        }
      }
      assertThat(stamped != null && Contents.mismatch(stamped, (byte) 7) == -1).isTrue();
      assertThat(slabCount() + countInDoubt()).isEqualTo(slabCount);
      if (bystander != null) {
        bystander.close();
      }
      forgetDoubt();
    }

    private static void fill(MemorySegment block) {
      if (Contents.mismatch(block, (byte) 0) != -1) {
        throw new AssertionError("not zero: sizeBytes=" + block.byteSize());
      }
      var _ = block.fill((byte) 0x5A);
    }

    /** How many more arenas get a slab, which is zero in all of its bytes. */
    private static int slabCount() {
      List<Arena> arenas = new ArrayList<>();
      int count = 0;
      for (int i = 0; i < ThreadSlabs.MAX_COUNT_SLABS; i++) {
        Arena arena = PooledArena.ofConfined();
        arenas.add(arena);
        MemorySegment block = arena.allocate(Pool.SLAB_BYTES);
        assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
        count += Slabs.isIn(Slabs.ofCurrentThread(), block) ? 1 : 0;
      }
      arenas.forEach(Arena::close);
      return count;
    }

    private static int countInDoubt() {
      return (int)
          Slabs.ofCurrentThread().stream().filter(slab -> slab.isInDoubt && slab.get() < 0).count();
    }

    /** As if their thread had ended, so that the next round begins anew. */
    private static void forgetDoubt() {
      for (Slab slab : Slabs.ofCurrentThread()) {
        if (slab.isInDoubt && slab.get() < 0) {
          slab.isInDoubt = false;
          slab.release(slab.address, slab.address + Pool.SLAB_BYTES, slab.key);
        }
      }
    }
  }

  /** The first arena of a thread; what is left of the slab goes when the thread has ended. */
  public static final class Fresh implements FaultProgram {
    /** For the sweep. */
    public Fresh() {}

    @Override
    public void prepare() {
      ThreadSlabs slabs = SlabRegistry.find(Thread.currentThread().threadId());
      if (slabs != null) {
        for (Slab slab = slabs.first(); slab != null; slab = slab.next) {
          slab.free();
        }
      }
    }

    @Override
    public void operate() {
      try (Arena arena = PooledArena.ofConfined()) {
        var _ = arena.allocate(100).fill((byte) 1);
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      try (Arena arena = PooledArena.ofConfined()) {
        MemorySegment block = arena.allocate(Pool.SLAB_BYTES);
        assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
        boolean isInDoubt = Slabs.ofCurrentThread().stream().anyMatch(slab -> slab.isInDoubt);
        assertThat(isInDoubt || Slabs.isIn(Slabs.ofCurrentThread(), block)).isTrue();
      }
      for (Slab slab : Slabs.ofCurrentThread()) {
        if (slab.get() < 0) {
          slab.isInDoubt = false;
          slab.release(slab.address, slab.address + Pool.SLAB_BYTES, slab.key);
        }
      }
    }
  }

  /** Slots of virtual threads, one of which gets its memory; asked for by a platform thread. */
  public static class Slot implements FaultProgram {
    static final long THREAD_ID = 2;

    /** Each part is as large as all before it. */
    static final int PART_COUNT =
        1 + Integer.numberOfTrailingZeros(SharedSlots.all().size() / SharedSlots.first().size());

    /** For the sweep. */
    public Slot() {}

    @Override
    public void prepare() {
      SharedSlots.all().forEach(Slab::free);
    }

    @Override
    public void operate() {
      Slab slot = SharedSlots.take(THREAD_ID);
      if (slot != null) {
        slot.release(slot.address, slot.address, slot.key);
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown == null || thrown instanceof VirtualMachineError).isTrue();
      Set<Slab> taken = takeAll();
      assertThat(taken).filteredOn(slot -> SharedSlots.first().contains(slot)).hasSize(4);
      assertThat(taken).hasSize(4 * PART_COUNT);
      taken.forEach(Slot::release);
    }

    /** All slots that a thread looks at, four of each part. */
    static Set<Slab> takeAll() {
      Set<Slab> taken = new LinkedHashSet<>();
      for (Slab slot = SharedSlots.take(THREAD_ID);
          slot != null;
          slot = SharedSlots.take(THREAD_ID)) {
        assertThat(taken.add(slot)).isTrue();
      }
      return taken;
    }

    static void release(Slab slot) {
      slot.release(slot.address, slot.address, slot.key);
    }
  }

  /** As {@link Slot}, where those of the first part are taken. */
  public static final class LaterSlot extends Slot {
    private final List<Slab> others = new ArrayList<>();

    /** For the sweep. */
    public LaterSlot() {}

    @Override
    public void prepare() {
      super.prepare();
      for (int i = 0; i < 4; i++) {
        others.add(Objects.requireNonNull(SharedSlots.take(THREAD_ID)));
      }
      assertThat(SharedSlots.first()).containsAll(others);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      others.forEach(Slot::release);
      super.check(thrown);
    }
  }

  /** The slot of a later part is the only one that has memory. */
  public static final class RefusedSlot implements FaultProgram {
    private @Nullable Slab found;
    private @Nullable Slab later;

    /** For the loader. */
    public RefusedSlot() {}

    @Override
    public void prepare() {
      List<Slab> taken = List.copyOf(Slot.takeAll());
      taken.forEach(Slot::release);
      later = taken.get(4);
      taken.stream().filter(slot -> !slot.equals(later)).forEach(Slab::free);
      SlabRegistry.noteRefusal(System.nanoTime() - 1_000_000_000);
      assertThat(SlabRegistry.isRefusedNow()).isTrue();
    }

    @Override
    public void operate() {
      found = SharedSlots.take(Slot.THREAD_ID);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a slab is a number too, but which one it is matters
    public void check(@Nullable Throwable thrown) {
      assertThat(found == later).as("the one that has memory").isTrue();
      assertThat(SharedSlots.take(Slot.THREAD_ID)).as("another one").isNull();
    }
  }

  /** A checked arena whose memory goes to the quarantine. */
  public static final class Checked implements FaultProgram {
    private @Nullable Arena arena;

    /** For the sweep. */
    public Checked() {}

    @Override
    public void prepare() {
      arena = CheckedArena.open();
    }

    @Override
    public void operate() {
      Arena ours = arena;
      if (ours != null) {
        var _ = ours.allocate(100).fill((byte) 1);
        var _ = ours.allocate(8);
        ours.close();
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown == null || thrown instanceof OutOfMemoryError).isTrue();
      if (arena != null && arena.scope().isAlive()) {
        arena.close();
      }
      Logger logger = Logger.getLogger("dev.arenal");
      AtomicInteger loggedCount = new AtomicInteger();
      Filter counting =
          record -> {
            loggedCount.incrementAndGet();
            return false;
          };
      logger.setFilter(counting);
      try {
        Quarantine.releaseAll();
      } finally {
        logger.setFilter(null);
      }
      assertThat(loggedCount).as("false alarms").hasValue(0);
    }
  }
}
