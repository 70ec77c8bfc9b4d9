package dev.arenal.bench;

import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
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
 * Large buffers, each in a page of its own: of many live ones a random one is freed and another
 * allocated, of 5 to 15 MiB, by one thread. The time is that of both, without a touch: no memory is
 * zeroed, and none is resident. It must not grow with the number of live ones.
 */
@State(Scope.Thread)
public class LargeBuffers extends ArenaBenchmark {
  private static final long MIB = 1 << 20;
  private static final long CAPACITY_BYTES = 2L << 40;
  private static final int STEPS = 1 << 14;
  private static final long SEED = 42;

  /** How many buffers there are all the time. */
  @Param({"1000", "30000", "100000"})
  public int live = 1000;

  private final int[] victims = new int[STEPS];
  private final long[] sizesBytes = new long[STEPS];
  private int step;

  /** Draws victims and sizes. */
  @Setup(Level.Trial)
  public void draw() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    Arrays.setAll(victims, i -> random.nextInt(live));
    Arrays.setAll(sizesBytes, i -> (5 + random.nextInt(11)) * MIB);
  }

  private int nextStep() {
    step = (step + 1) & (STEPS - 1);
    return step;
  }

  /** Buffers of a page allocator. */
  @State(Scope.Thread)
  public static class Pages {
    private final PageAllocator allocator =
        PageAllocator.builder("large").capacityBytes(CAPACITY_BYTES).zeroed(false).build();
    private PageBuffer[] buffers = {};

    /** Allocates as many as stay. */
    @Setup(Level.Trial)
    public void fill(LargeBuffers load) {
      buffers = new PageBuffer[load.live];
      Arrays.setAll(buffers, i -> allocator.allocate(load.sizesBytes[i & (STEPS - 1)]));
    }

    /** Frees them; a buffer that is lost fails here. */
    @TearDown(Level.Trial)
    public void empty() {
      Arrays.stream(buffers).forEach(PageBuffer::close);
      allocator.assertNoOpenBuffers();
      allocator.close();
    }
  }

  /** Blocks of malloc. */
  @State(Scope.Thread)
  public static class Blocks {
    private long[] addresses = {};

    /** Allocates as many as stay. */
    @Setup(Level.Trial)
    public void fill(LargeBuffers load) {
      addresses = new long[load.live];
      Arrays.setAll(addresses, i -> LibC.malloc(load.sizesBytes[i & (STEPS - 1)]));
    }

    /** Frees them. */
    @TearDown(Level.Trial)
    public void empty() {
      Arrays.stream(addresses).forEach(LibC::free);
    }
  }

  /** Choosing the buffer, and nothing else. */
  @Benchmark
  public long control() {
    int now = nextStep();
    return victims[now] + sizesBytes[now];
  }

  /** A page allocator. */
  @Benchmark
  public void pages(Pages pages) {
    int now = nextStep();
    int victim = victims[now];
    pages.buffers[victim].close();
    pages.buffers[victim] = pages.allocator.allocate(sizesBytes[now]);
  }

  /** free and malloc. */
  @Benchmark
  public void mallocFree(Blocks blocks) {
    int now = nextStep();
    int victim = victims[now];
    LibC.free(blocks.addresses[victim]);
    blocks.addresses[victim] = LibC.malloc(sizesBytes[now]);
  }
}
