package dev.arenal.confined;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.logging.Logger;

/**
 * The program of {@code PoolProgramTest}: prints the visible state of a pool. Uses nothing of any
 * test.
 */
@SuppressWarnings("SystemOut") // that is how it is asked
final class PoolProgram {
  /** Threads that have ended, kept from the garbage collector: it shall not be what helps. */
  private static final List<Thread> ENDED = new ArrayList<>();

  private static final int GARBAGE_ROUNDS = 100_000;

  private PoolProgram() {}

  /** The first argument says what to do. */
  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "describe" -> describe();
      case "threads" -> useManyThreads(Integer.parseInt(args[1]));
      case "denied" -> useWithoutNativeAccess();
      case "late" -> writeLate();
      case "garbage" -> countGarbage(args[1]);
      case "known" -> countKnown(List.of(args).subList(1, args.length));
      default -> throw new IllegalArgumentException("unknown command: " + args[0]);
    }
  }

  /** The kind of the arena, the size up to which blocks come from the pool, and how it went. */
  private static void describe() {
    try (Arena arena = PooledArena.ofConfined()) {
      System.out.println("arena=" + arena.getClass().getName());
    }
    System.out.println("slabBytes=" + Pool.SLAB_BYTES);
    for (long sizeBytes :
        new long[] {0, 5, 8, 16, 17, 8192, 8193, 16 << 10, (16 << 10) + 1, 1 << 20}) {
      useTwice(sizeBytes);
    }
    System.out.println("works");
  }

  private static void useTwice(long sizeBytes) {
    boolean isPooled = sizeBytes <= Pool.SLAB_BYTES;
    long first = use(sizeBytes, (byte) 1);
    long second = use(sizeBytes, (byte) 2);
    if (!Pool.IS_CHECKED && isPooled && Pool.SLAB_BYTES > 0 && first != second) {
      throw new AssertionError("not reused: sizeBytes=" + sizeBytes);
    }
  }

  private static long use(long sizeBytes, byte tag) {
    try (Arena arena = PooledArena.ofConfined()) {
      MemorySegment block = arena.allocate(sizeBytes);
      for (long at = 0; at < sizeBytes; at++) {
        if (block.get(JAVA_BYTE, at) != 0) {
          throw new AssertionError("not zero: sizeBytes=" + sizeBytes + ", offset=" + at);
        }
      }
      return block.fill(tag).address();
    }
  }

  /** Threads one after the other that fill their slabs; what is resident for the later ones. */
  private static void useManyThreads(int threadCount) throws Exception {
    startAndJoin(threadCount / 6);
    long before = residentKib();
    startAndJoin(threadCount);
    System.out.println("grownKib=" + (residentKib() - before));
  }

  private static void startAndJoin(int threadCount) throws Exception {
    for (int i = 0; i < threadCount; i++) {
      Thread thread =
          Thread.ofPlatform()
              .start(() -> {
                try (Arena arena = PooledArena.ofConfined()) {
                  var _ = arena.allocate(Pool.SLAB_BYTES).fill((byte) 1);
                }
              });
      thread.join();
      ENDED.add(thread);
    }
  }

  private static long residentKib() throws Exception {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IllegalStateException("no line VmRSS in /proc/self/status");
  }

  private static void useWithoutNativeAccess() {
    for (int i = 0; i < 2; i++) {
      Arena arena = PooledArena.ofConfined();
      try {
        var _ = arena.allocate(8);
        System.out.println("allocated");
      } catch (Throwable e) {
        System.out.println("allocate: " + e.getClass().getName());
      }
      try {
        arena.close();
        System.out.println("closed");
      } catch (Throwable e) {
        System.out.println("close: " + e.getClass().getName());
      }
    }
  }

  /** Writes to memory of a closed arena, and ends; has used the logging of the JDK before. */
  private static void writeLate() {
    Logger.getLogger("before").warning("logged before");
    long address;
    try (Arena arena = PooledArena.ofConfined()) {
      address = arena.allocate(40).address();
    }
    NativeMemory.segment(address, 40).set(JAVA_BYTE, 7, (byte) 0xAB);
  }

  /** Bytes on the Java heap for an arena with four blocks; of one kind, as in a program. */
  private static void countGarbage(String kind) {
    Supplier<Arena> opening = kind.equals("jdk") ? Arena::ofConfined : PooledArena::ofConfined;
    long bytes = 0;
    for (int i = 0; i < 2; i++) { // the first time until it is compiled
      long before = garbageBytes();
      long sum = 0;
      for (int round = 0; round < GARBAGE_ROUNDS; round++) {
        sum += fourBlocks(opening);
      }
      bytes = garbageBytes() - before;
      if (sum == 0) {
        throw new AssertionError("no addresses");
      }
    }
    System.out.println(bytes / GARBAGE_ROUNDS);
  }

  /** Of which only the addresses are used, as where they are handed to native code. */
  private static long fourBlocks(Supplier<Arena> opening) {
    try (Arena arena = opening.get()) {
      return arena.allocate(16).address()
          + arena.allocate(16).address()
          + arena.allocate(16).address()
          + arena.allocate(16).address();
    }
  }

  private static long garbageBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  /**
   * After each new thread, how many of them are known: so many that end, so many (negative) that
   * stay, or so many that stay a while and are gone then.
   */
  private static void countKnown(List<String> commands) throws Exception {
    for (String command : commands) {
      if (command.startsWith("gone")) {
        int before = SlabRegistry.threadCount();
        stay(Integer.parseInt(command.substring(4))).countDown();
        while (SlabRegistry.threadCount() > before) {
          System.gc();
          Thread.sleep(5);
        }
        System.out.println(SlabRegistry.threadCount());
      } else if (command.startsWith("-")) {
        var _ = stay(Integer.parseInt(command.substring(1)));
      } else {
        for (int i = Integer.parseInt(command); i > 0; i--) {
          startAndJoin(1);
          System.out.println(SlabRegistry.threadCount());
        }
      }
    }
  }

  /** Threads that have used a slab and end when the latch is opened. */
  private static CountDownLatch stay(int threadCount) throws Exception {
    CountDownLatch isOver = new CountDownLatch(1);
    for (int i = 0; i < threadCount; i++) {
      CountDownLatch isUsed = new CountDownLatch(1);
      var _ =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                use(8, (byte) 1);
                isUsed.countDown();
                try {
                  isOver.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      isUsed.await();
      System.out.println(SlabRegistry.threadCount());
    }
    return isOver;
  }
}
