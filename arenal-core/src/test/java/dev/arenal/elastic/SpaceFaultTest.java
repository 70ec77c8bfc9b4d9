package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drawn programs in spaces, in which the Java heap is full or the stack ends at one place after the
 * other: stamps stay, new memory is zero, nothing is lost, no thread hangs.
 */
@Timeout(600)
final class SpaceFaultTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        Growing.class,
        Fixed.class,
        Strict.class,
        Pieces.class,
        FixedPieces.class,
        StrictPieces.class
      })
  void heapFull_atOnePlace(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.drawnPlaces(program, Fault.HEAP, 120)).isGreaterThan(100);
    assertThat(FaultSweep.fromDrawnPlaces(program, Fault.HEAP, 40)).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Growing.class,
        Fixed.class,
        Strict.class,
        Pieces.class,
        FixedPieces.class,
        StrictPieces.class
      })
  void heapFull_asSomethingGrows(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.GROWTH, 1)).isPositive();
  }

  @Tag("soak")
  @ParameterizedTest
  @ValueSource(
      classes = {
        Growing.class,
        Fixed.class,
        Strict.class,
        Pieces.class,
        FixedPieces.class,
        StrictPieces.class
      })
  void heapFull_atEveryPlace(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.HEAP, 1)).isGreaterThan(100);
    assertThat(FaultSweep.fromEveryPlace(program, Fault.HEAP, 1)).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Growing.class,
        Fixed.class,
        Strict.class,
        Pieces.class,
        FixedPieces.class,
        StrictPieces.class
      })
  void stackAtItsEnd_atOnePlace(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.drawnPlaces(program, Fault.STACK, 100)).isGreaterThan(1000);
  }

  @Tag("soak")
  @Test
  @Timeout(3600)
  void stackAtItsEnd_atEveryPlace() {
    assertThat(FaultSweep.everyPlace(Growing.class, Fault.STACK, 1)).isGreaterThan(1000);
    assertThat(FaultSweep.everyPlace(Fixed.class, Fault.STACK, 1)).isGreaterThan(1000);
    assertThat(FaultSweep.everyPlace(Strict.class, Fault.STACK, 1)).isGreaterThan(1000);
    assertThat(FaultSweep.everyPlace(Pieces.class, Fault.STACK, 1)).isGreaterThan(1000);
    assertThat(FaultSweep.everyPlace(FixedPieces.class, Fault.STACK, 1)).isGreaterThan(1000);
    assertThat(FaultSweep.everyPlace(StrictPieces.class, Fault.STACK, 1)).isGreaterThan(1000);
  }

  /** Of a block that the program does not get nothing is used, also where a gap is before it. */
  @Test
  void stackAtItsEnd_behindAGap_losesNoBlock() {
    assertThat(FaultSweep.everyPlace(Aligned.class, Fault.STACK, 1)).isGreaterThan(5);
  }

  /** Blocks that are aligned to more than their size, in an arena that has room for them. */
  public static final class Aligned implements FaultProgram {
    private final ElasticSpace space =
        ElasticSpace.builder("aligned").operatingSystem(new SimulatedOperatingSystem()).build();
    private final ElasticArena arena = space.openConfined();
    private int count;

    /** For the sweep. */
    public Aligned() {}

    @Override
    public void prepare() {
      var _ = arena.allocate(8);
      count++;
    }

    @Override
    public void operate() {
      for (int i = 0; i < 3; i++) {
        var _ = arena.allocate(8, 64);
        count++;
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(arena.usedBytes()).isEqualTo(8L * count);
      arena.close();
      space.close();
    }
  }

  /** A space that grows. */
  public static final class Growing extends SpaceProgram {
    /** For the sweep. */
    public Growing() {
      super(1, builder -> builder);
    }
  }

  /** A space of a fixed size, with references. */
  public static final class Fixed extends SpaceProgram {
    /** For the sweep. */
    public Fixed() {
      super(2, builder -> builder.fixedSizeBytes((40 << 20) + 8192));
    }
  }

  /** A space whose granules are inaccessible until they are committed. */
  public static final class Strict extends SpaceProgram {
    /** For the sweep. */
    public Strict() {
      super(3, builder -> builder.commitMode(CommitMode.PROTECT).granuleBytes(16 * 1024));
    }
  }

  /** Arenas that share pages. */
  public static final class Pieces extends SpaceProgram {
    /** For the sweep. */
    public Pieces() {
      super(4, builder -> builder, true);
    }
  }

  /** The same in a space of a fixed size, with references: pieces are whole units there. */
  public static final class FixedPieces extends SpaceProgram {
    /** For the sweep. */
    public FixedPieces() {
      super(5, builder -> builder.fixedSizeBytes((40 << 20) + 8192), true);
    }
  }

  /** The same where several pages of pieces share a granule. */
  public static final class StrictPieces extends SpaceProgram {
    /** For the sweep. */
    public StrictPieces() {
      super(6, builder -> builder.commitMode(CommitMode.PROTECT).granuleBytes(16 * 1024), true);
    }
  }

  /** The settings that a program makes in the builder of its space. */
  @FunctionalInterface
  interface Settings {
    ElasticSpaceBuilder apply(ElasticSpaceBuilder builder);
  }

  /** Knows at any time which blocks are live, also where an operation has not come to its end. */
  abstract static class SpaceProgram implements FaultProgram {
    private static final int OP_COUNT = 60;

    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("faulty", 64 << 20);
    private final List<ElasticArena> arenas = new ArrayList<>();
    private final List<List<MemorySegment>> blocks = new ArrayList<>();
    private final SplittableRandom random;
    private final Settings settings;

    /** Whether blocks and arenas are so small that these share pages. */
    private final boolean isOfPieces;

    private @Nullable ElasticSpace space;

    /** A block that is just being given back: afterwards it may be live or not. */
    private @Nullable MemorySegment freeing;

    SpaceProgram(long seed, Settings settings) {
      this(seed, settings, false);
    }

    SpaceProgram(long seed, Settings settings, boolean isOfPieces) {
      this.random = new SplittableRandom(seed);
      this.settings = settings;
      this.isOfPieces = isOfPieces;
    }

    @Override
    public void prepare() {
      os.setCanName(true);
      ElasticSpace built =
          settings
              .apply(
                  ElasticSpace.builder("faulty")
                      .operatingSystem(os)
                      .budget(budget)
                      .longestCloseWait(Duration.ofMillis(20))
                      .reserveBytes(64 * 1024))
              .build();
      space = built;
      if (isOfPieces) {
        learn(built);
      }
      for (int i = 0; i < 4; i++) {
        open(built);
        for (int n = 0; n < (isOfPieces ? 2 : 20); n++) {
          allocate(i, 1 + random.nextInt(isOfPieces ? 300 : 3000));
        }
      }
    }

    /** So that the space expects small arenas. */
    private void learn(ElasticSpace built) {
      for (int i = 0; i < 24; i++) {
        try (ElasticArena arena = built.openConfined()) {
          var _ = arena.allocate(64 + random.nextInt(900));
        }
      }
    }

    @Override
    public void operate() {
      if (isOfPieces) {
        operateSmall();
        return;
      }
      ElasticSpace built = space();
      for (int i = 0; i < OP_COUNT; i++) {
        int arenaIndex = random.nextInt(arenas.size());
        switch (random.nextInt(14)) {
          case 0 -> open(built);
          case 13 -> reset(arenaIndex);
          case 1 -> close(arenaIndex);
          case 2 -> built.trim();
          case 3, 4 -> free(arenaIndex);
          case 5 -> allocate(arenaIndex, 1 + random.nextInt(3_000_000));
          case 6 -> built.report(ReportDetail.values());
          case 7 -> refuse(arenaIndex);
          case 8 -> pretouch(built);
          case 9 -> reference(built, arenaIndex);
          default -> allocate(arenaIndex, 1 + random.nextInt(20_000));
        }
      }
      while (arenas.size() > 2) {
        close(arenas.size() - 1);
      }
    }

    /** Takes, extends, cuts and gives back pieces, and goes from them to chunks. */
    private void operateSmall() {
      ElasticSpace built = space();
      for (int i = 0; i < OP_COUNT; i++) {
        int arenaIndex = random.nextInt(arenas.size());
        switch (random.nextInt(18)) {
          case 0, 1, 2 -> open(built);
          case 16, 17 -> reset(arenaIndex);
          case 3, 4 -> close(arenaIndex);
          case 5 -> built.trim();
          case 6, 7 -> free(arenaIndex);
          case 8 -> allocate(arenaIndex, 1 + random.nextInt(8000));
          case 9 -> built.report(ReportDetail.values());
          case 10 -> refuse(arenaIndex);
          case 11 -> reference(built, arenaIndex);
          default -> allocate(arenaIndex, 1 + random.nextInt(600));
        }
      }
      while (arenas.size() > 2) {
        close(arenas.size() - 1);
      }
    }

    private void open(ElasticSpace built) {
      List<MemorySegment> none = new ArrayList<>();
      boolean shared = arenas.size() % 2 == 1;
      ArenaGrowth growth =
          isOfPieces && random.nextInt(3) == 0 ? ArenaGrowth.MICRO : ArenaGrowth.ADAPTIVE;
      ElasticArena arena = shared ? built.openShared("s", growth) : built.openConfined("c", growth);
      arenas.add(arena);
      blocks.add(none);
    }

    private void close(int arenaIndex) {
      if (arenas.size() > 2) {
        MemorySegment.Scope scope =
            arenas.get(arenaIndex).scope(); // which may fail as well, but here only
        try {
          arenas.get(arenaIndex).close();
        } finally {
          if (!scope.isAlive()) {
            arenas.remove(arenaIndex);
            blocks.remove(arenaIndex);
          }
        }
      }
    }

    /** Afterwards the arena is in its next round, or as it was, or closed where it met damage. */
    private void reset(int arenaIndex) {
      MemorySegment.Scope scope = arenas.get(arenaIndex).scope();
      try {
        arenas.get(arenaIndex).reset();
      } finally {
        if (!scope.isAlive()) {
          blocks.get(arenaIndex).clear();
        }
        if (!arenas.get(arenaIndex).scope().isAlive()) {
          arenas.remove(arenaIndex);
          blocks.remove(arenaIndex);
        }
      }
    }

    private void allocate(int arenaIndex, long sizeBytes) {
      MemorySegment block = arenas.get(arenaIndex).allocate(sizeBytes, 1L << random.nextInt(5));
      assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
      Contents.write(block, tag(block));
      blocks.get(arenaIndex).add(block);
    }

    private void free(int arenaIndex) {
      if (!blocks.get(arenaIndex).isEmpty()) {
        MemorySegment block = blocks.get(arenaIndex).removeLast();
        freeing = block;
        arenas.get(arenaIndex).deallocate(block);
        freeing = null;
      }
    }

    private void refuse(int arenaIndex) {
      try {
        allocate(arenaIndex, 1L << 30);
      } catch (OutOfMemoryError e) {
        String message = e.getMessage();
        if (message == null || !message.startsWith("native memory refused")) {
          throw e;
        }
      }
    }

    private static void pretouch(ElasticSpace built) {
      try {
        var _ = built.pretouch(Pretouch.upTo(2 << 20));
      } catch (OutOfMemoryError e) {
        String message = e.getMessage();
        if (message == null || message.equals(dev.arenal.faults.Faults.MESSAGE)) {
          throw e;
        }
      }
    }

    private void reference(ElasticSpace built, int arenaIndex) {
      if (built.reservedBytes() == (40 << 20) + 8192 && !blocks.get(arenaIndex).isEmpty()) {
        MemorySegment block = blocks.get(arenaIndex).getLast();
        assertThat(built.segment(built.reference(block)).address()).isEqualTo(block.address());
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      boolean refused =
          thrown instanceof IllegalStateException
              && String.valueOf(thrown.getMessage()).startsWith("space is damaged");
      if (thrown != null && !refused && !(thrown instanceof VirtualMachineError)) {
        throw new AssertionError("the operation ended by something else", thrown);
      }
      checkStamps();
      boolean damaged = isDamaged();
      if (damaged && thrown instanceof OutOfMemoryError) {
        throw new AssertionError("a full heap has done damage", thrown);
      }
      if (damaged) {
        checkRefusals();
      } else {
        checkUse();
      }
      checkStamps();
      arenas.forEach(ElasticArena::close);
      assertThat(space().arenaCount()).isZero();
      if (damaged) {
        space().close();
        assertThat(budget.committedBytes()).isZero();
        os.assertNothingMapped();
      } else {
        TestSpaces.closeAll(new ArrayList<>(List.of(space())), os);
      }
    }

    private boolean isDamaged() {
      try {
        space().verify();
        return false;
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageStartingWith("space is damaged: space=faulty, cause=java.lang.");
        return true;
      }
    }

    private void checkRefusals() {
      ElasticSpace built = space();
      for (ElasticArena arena : arenas) {
        assertThatThrownBy(() -> arena.allocate(1 << 20))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageStartingWith("space is damaged");
      }
      assertThatThrownBy(built::openConfined).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(built::trim).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(built::report).isInstanceOf(IllegalStateException.class);
      // Figures can still be read, right or wrong.
      var _ = built.usedBytes() + built.committedBytes() + built.reservedBytes();
      var _ = built.statistics() + built.toString();
      assertThatThrownBy(built::close).hasMessageContaining("space has open arenas");
    }

    private void checkUse() {
      for (int arenaIndex = 0; arenaIndex < arenas.size(); arenaIndex++) {
        long freeingBytes = freeing == null ? 0 : OracleArena.blockBytes(freeing.byteSize());
        long usedBytes = 0;
        for (MemorySegment block : blocks.get(arenaIndex)) {
          usedBytes += OracleArena.blockBytes(block.byteSize());
        }
        assertThat(arenas.get(arenaIndex).usedBytes())
            .isBetween(usedBytes, usedBytes + freeingBytes);
        for (int n = 0; n < 30; n++) {
          allocate(arenaIndex, 1 + random.nextInt(10_000));
        }
      }
      space().verify();
    }

    private void checkStamps() {
      for (List<MemorySegment> each : blocks) {
        for (MemorySegment block : each) {
          assertThat(Contents.mismatch(block, tag(block))).isEqualTo(-1);
        }
      }
    }

    private ElasticSpace space() {
      ElasticSpace built = space;
      if (built == null) {
        throw new AssertionError("not prepared");
      }
      return built;
    }

    private static byte tag(MemorySegment block) {
      return (byte) (1 + (block.address() >>> 3) % 100);
    }
  }
}
