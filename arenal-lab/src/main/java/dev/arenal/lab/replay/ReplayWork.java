package dev.arenal.lab.replay;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One replay of a program, in a JVM with flags that keep its own memory still while blocks are
 * counted.
 *
 * @param file the program
 * @param kind the allocator
 * @param isVerifying whether contents are checked
 */
record ReplayWork(Path file, AllocatorKind kind, boolean isVerifying) implements Work<ChildResult> {
  private static final long MIB = 1024 * 1024;

  /** For the JVM's own objects, the plan, and young objects between two collections. */
  private static final long BASE_HEAP_BYTES = 128 * MIB;

  private static final long YOUNG_BYTES = 64 * MIB;

  /**
   * The bytes that an arena of the JDK keeps on the Java heap for each block: a segment's clean-up
   * and its link, with room for the copying of them.
   */
  private static final long JDK_HEAP_BYTES_PER_BLOCK = 96;

  /**
   * The same for a block that a program gives back early to one of ours: its segment, the slot that
   * keeps it, and its place in the books of what is free.
   */
  private static final long HEAP_BYTES_PER_EARLY_FREE = 96;

  /** For each page in which such blocks are: a part of the books of its arena. */
  private static final long HEAP_BYTES_PER_PAGE_OF_EARLY_FREES = 640;

  private static final long PAGE_BYTES = 4096;

  /** For each arena that has some: its books, while it lives. */
  private static final long HEAP_BYTES_PER_ARENA_OF_EARLY_FREES = 4096;

  /** Per arena: its object, while it lives. */
  private static final long HEAP_BYTES_PER_LIVE_ARENA = 512;

  /** Per arena that ever lived: slots in arrays, of the program and of its replay. */
  private static final long HEAP_BYTES_PER_ARENA = 64;

  /**
   * glibc gives out eight heaps per core and lets threads share them after that. On a small machine
   * the measured thread would share one with a compiler; it gets its own, as on a larger one.
   */
  private static final String ARENA_MAX_VARIABLE = "MALLOC_ARENA_MAX";

  private static final String ARENA_MAX = "64";

  /**
   * Where the blocks do not come from malloc, the JVM's own use of it is to stand still: HotSpot
   * frees the compiler's memory some seconds later, and glibc would hand it back in the middle of
   * the replay.
   */
  private static final String TRIM_THRESHOLD_VARIABLE = "MALLOC_TRIM_THRESHOLD_";

  private static final String TRIM_THRESHOLD = String.valueOf(1L << 40);

  @Override
  public ChildResult run() throws IOException, InterruptedException {
    return new Measurement(ProgramFile.read(file), kind, isVerifying).measure();
  }

  /** The process for it, with a Java heap of that size. */
  Child child(String trace, long heapBytes, HeapLibraries libraries) throws IOException {
    String details = "trace=%s, allocator=%s".formatted(trace, kind.label());
    Child child = new Child("replay", details).flags(memoryFlags(heapBytes));
    Map<String, String> environment = child.environment();
    environment.putIfAbsent(ARENA_MAX_VARIABLE, ARENA_MAX);
    if (!kind.usesMalloc()) {
      environment.put(TRIM_THRESHOLD_VARIABLE, TRIM_THRESHOLD);
    }
    return child.heap(kind, libraries);
  }

  /** The Java heap that a replay needs: the same for every run of one allocator. */
  static long heapBytes(AllocatorKind kind, ReplayProgram program, TracePlan plan, boolean verify) {
    // Twice the program: the warm-up may take a thinned copy.
    long bytes = BASE_HEAP_BYTES + 2 * program.operations().sizeBytes();
    bytes += program.arenas().arenaCount() * HEAP_BYTES_PER_ARENA;
    bytes += plan.most().liveArenas() * HEAP_BYTES_PER_LIVE_ARENA;
    if (kind.isJdk()) {
      bytes += plan.most().keptBlocks() * JDK_HEAP_BYTES_PER_BLOCK;
    }
    if (kind.isElastic()) {
      long blocks = program.keptCount();
      bytes += blocks * HEAP_BYTES_PER_EARLY_FREE;
      bytes +=
          Math.min(blocks, plan.most().keptBytes() / PAGE_BYTES)
              * HEAP_BYTES_PER_PAGE_OF_EARLY_FREES;
      bytes += Math.min(blocks, plan.most().liveArenas()) * HEAP_BYTES_PER_ARENA_OF_EARLY_FREES;
    }
    if (verify) {
      bytes += program.allocationCount() * (Long.BYTES + 2 * Integer.BYTES + 1);
    }
    return Math.ceilDiv(bytes, MIB) * MIB;
  }

  /**
   * A heap that is whole and resident from the start, and compilers that neither come and go nor
   * run beside the replay: then the resident size moves by what the allocator does.
   */
  private static List<String> memoryFlags(long heapBytes) {
    return List.of(
        "-XX:+UseSerialGC",
        "-Xms" + heapBytes,
        "-Xmx" + heapBytes,
        "-Xmn" + YOUNG_BYTES,
        "-XX:+AlwaysPreTouch",
        "-XX:-UseDynamicNumberOfCompilerThreads",
        "-XX:-BackgroundCompilation",
        // Rarely called code is compiled in the warm-up as well.
        "-XX:CompileThresholdScaling=0.5",
        "-XX:-UsePerfData",
        // The JDK counts its native segments against a limit that is the Java heap's size.
        "-XX:MaxDirectMemorySize=" + Long.MAX_VALUE);
  }
}
