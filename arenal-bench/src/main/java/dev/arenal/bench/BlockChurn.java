package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Blocks that die before their arena: of 1,000 live blocks a random one is given back and another
 * allocated in its place, by one thread. The time is that of both; the first word of the new block
 * is written. Blocks of the arenas and of calloc are zeroed, those of malloc are not.
 *
 * <p>The JDK's arenas cannot give a block back. The elastic arenas must keep the segment of each
 * block, an object on the Java heap; malloc keeps a number.
 */
@State(Scope.Thread)
public class BlockChurn extends ArenaBenchmark {
  private static final int LIVE = 1000;
  private static final int STEPS = 1 << 14;
  private static final long SEED = 42;

  /** How large the blocks are. */
  public enum Sizes {
    /** All alike: every hole fits. */
    FIXED_48(48, 1),
    /** From 16 to 512 bytes: holes must be split and joined. */
    MIXED_16_TO_512(16, 63);

    private final int smallestBytes;
    private final int sizeCount;

    Sizes(int smallestBytes, int sizeCount) {
      this.smallestBytes = smallestBytes;
      this.sizeCount = sizeCount;
    }

    private int next(RandomGenerator random) {
      return smallestBytes + Long.BYTES * random.nextInt(sizeCount);
    }
  }

  /** How large the blocks are. */
  @Param public Sizes sizes = Sizes.FIXED_48;

  private final int[] victims = new int[STEPS];
  private final int[] sizesBytes = new int[STEPS];
  private final long[] addresses = new long[LIVE];
  private final MemorySegment[] confinedBlocks = new MemorySegment[LIVE];
  private final MemorySegment[] sharedBlocks = new MemorySegment[LIVE];
  private final ElasticSpace space = ElasticSpace.builder("churn").build();
  private final ElasticArena confined = space.openConfined();
  private final ElasticArena shared = space.openShared();
  private int step;

  /** Fills both arenas and the malloc heap, in the thread that will use them. */
  @Setup(Level.Trial)
  public void fill() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    Arrays.setAll(victims, i -> random.nextInt(LIVE));
    Arrays.setAll(sizesBytes, i -> sizes.next(random));
    Arrays.setAll(confinedBlocks, i -> confined.allocate(sizesBytes[i], 8));
    Arrays.setAll(sharedBlocks, i -> shared.allocate(sizesBytes[i], 8));
    Arrays.setAll(addresses, i -> LibC.malloc(sizesBytes[i]));
  }

  /** Gives everything back. */
  @TearDown(Level.Trial)
  public void empty() {
    confined.close();
    shared.close();
    space.close();
    Arrays.stream(addresses).forEach(LibC::free);
  }

  /** Choosing the block, and nothing else. */
  @Benchmark
  public long control() {
    int now = nextStep();
    return addresses[victims[now]] + sizesBytes[now];
  }

  /** A confined elastic arena. */
  @Benchmark
  public void elasticConfined() {
    churn(confined, confinedBlocks);
  }

  /** A shared elastic arena, used by one thread. */
  @Benchmark
  public void elasticShared() {
    churn(shared, sharedBlocks);
  }

  /** free and malloc. */
  @Benchmark
  public void mallocFree() {
    int now = nextStep();
    int victim = victims[now];
    LibC.free(addresses[victim]);
    addresses[victim] = LibC.malloc(sizesBytes[now]);
    LibC.putWord(addresses[victim], now);
  }

  /** The same with critical downcalls. */
  @Benchmark
  public void mallocFreeCritical() {
    int now = nextStep();
    int victim = victims[now];
    LibC.freeCritical(addresses[victim]);
    addresses[victim] = LibC.mallocCritical(sizesBytes[now]);
    LibC.putWord(addresses[victim], now);
  }

  /** free and calloc, which zeroes as the arenas do. */
  @Benchmark
  public void callocFree() {
    int now = nextStep();
    int victim = victims[now];
    LibC.free(addresses[victim]);
    addresses[victim] = LibC.calloc(sizesBytes[now]);
    LibC.putWord(addresses[victim], now);
  }

  private void churn(ElasticArena arena, MemorySegment[] blocks) {
    int now = nextStep();
    int victim = victims[now];
    arena.deallocate(blocks[victim]);
    blocks[victim] = arena.allocate(sizesBytes[now], 8);
    blocks[victim].set(ValueLayout.JAVA_LONG, 0, now);
  }

  private int nextStep() {
    step = (step + 1) & (STEPS - 1);
    return step;
  }
}
