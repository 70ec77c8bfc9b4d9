package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.VerifiedSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Ten thousand owners that allocate in turn, so that no arena is in a cache when its turn comes. An
 * owner that has 100 blocks of 48 bytes is closed and another takes its place; at any time their
 * sizes are spread evenly.
 *
 * <p>The time is that of one block, its first word written, with its share of open and close.
 */
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class ManyArenas extends ArenaBenchmark {
  private static final int OWNERS = 10_000;
  private static final int BLOCKS = 100;
  private static final long BLOCK_BYTES = OwnerAllocation.BLOCK_BYTES;

  /** Whose turn it is, and how many blocks each owner has. */
  private static final class Turns {
    private final int[] counts = new int[OWNERS];
    private int owner;

    Turns() {
      Arrays.setAll(counts, i -> i % BLOCKS);
    }

    int next() {
      owner = owner + 1 == OWNERS ? 0 : owner + 1;
      return owner;
    }

    /** Whether this owner is full and must make room for the next one first. */
    boolean isFull(int candidate) {
      boolean full = counts[candidate] == BLOCKS;
      counts[candidate] = full ? 1 : counts[candidate] + 1;
      return full;
    }
  }

  /** The owners of elastic arenas. */
  @State(Scope.Thread)
  public static class ElasticOwners {
    private final Turns turns = new Turns();
    private final ElasticArena[] arenas = new ElasticArena[OWNERS];
    private final ElasticSpace space = ElasticSpace.builder("many-arenas").build();

    /** Opens all arenas. */
    @Setup(Level.Trial)
    public void open() {
      Arrays.setAll(arenas, i -> space.openConfined());
    }

    /** Closes all arenas, and fails if the space is not in order. */
    @TearDown(Level.Trial)
    public void close() {
      Arrays.stream(arenas).forEach(ElasticArena::close);
      VerifiedSpace.verify(space);
      space.close();
    }
  }

  /** The owners of the JDK's arenas. */
  @State(Scope.Thread)
  public static class JdkOwners {
    private final Turns turns = new Turns();
    private final Arena[] arenas = new Arena[OWNERS];

    /** Opens all arenas. */
    @Setup(Level.Trial)
    public void open() {
      Arrays.setAll(arenas, i -> Arena.ofConfined());
    }

    /** Closes all arenas. */
    @TearDown(Level.Trial)
    public void close() {
      Arrays.stream(arenas).forEach(Arena::close);
    }
  }

  /** The owners of blocks of malloc. */
  @State(Scope.Thread)
  public static class MallocOwners {
    private final Turns turns = new Turns();
    private final long[][] addresses = new long[OWNERS][BLOCKS];

    /** Frees all blocks; the address of a block that was never allocated is 0. */
    @TearDown(Level.Trial)
    public void close() {
      for (long[] blocks : addresses) {
        Arrays.stream(blocks).forEach(LibC::free);
        Arrays.fill(blocks, 0);
      }
    }
  }

  /** Taking turns, and nothing else. */
  @Benchmark
  public boolean control(MallocOwners owners) {
    return owners.turns.isFull(owners.turns.next());
  }

  /** Confined elastic arenas of one space. */
  @Benchmark
  public void elasticConfined(ElasticOwners owners) {
    int owner = owners.turns.next();
    if (owners.turns.isFull(owner)) {
      owners.arenas[owner].close();
      owners.arenas[owner] = owners.space.openConfined();
    }
    MemorySegment block = owners.arenas[owner].allocate(BLOCK_BYTES, 8);
    block.set(ValueLayout.JAVA_LONG, 0, owner);
  }

  /** One downcall to malloc and one to free for each block. */
  @Benchmark
  public void mallocFree(MallocOwners owners) {
    int owner = owners.turns.next();
    long[] blocks = owners.addresses[owner];
    if (owners.turns.isFull(owner)) {
      for (int i = 0; i < BLOCKS; i++) {
        LibC.free(blocks[i]);
        blocks[i] = 0;
      }
    }
    long block = LibC.malloc(BLOCK_BYTES);
    blocks[owners.turns.counts[owner] - 1] = block;
    LibC.putWord(block, owner);
  }

  /** The same with critical downcalls. */
  @Benchmark
  public void mallocFreeCritical(MallocOwners owners) {
    int owner = owners.turns.next();
    long[] blocks = owners.addresses[owner];
    if (owners.turns.isFull(owner)) {
      for (int i = 0; i < BLOCKS; i++) {
        LibC.freeCritical(blocks[i]);
        blocks[i] = 0;
      }
    }
    long block = LibC.mallocCritical(BLOCK_BYTES);
    blocks[owners.turns.counts[owner] - 1] = block;
    LibC.putWord(block, owner);
  }

  /** The JDK's confined arenas. */
  @Benchmark
  public void jdkConfined(JdkOwners owners) {
    int owner = owners.turns.next();
    if (owners.turns.isFull(owner)) {
      owners.arenas[owner].close();
      owners.arenas[owner] = Arena.ofConfined();
    }
    MemorySegment block = owners.arenas[owner].allocate(BLOCK_BYTES, 8);
    block.set(ValueLayout.JAVA_LONG, 0, owner);
  }
}
