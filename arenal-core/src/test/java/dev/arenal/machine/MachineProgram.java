package dev.arenal.machine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.ReclaimPolicy;
import dev.arenal.elastic.SpaceAccess;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.os.OperatingSystem;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * What {@link OddMachineTest} runs in a fresh JVM: one word says what; it prints what came of it.
 */
final class MachineProgram {
  private static final long MIB = 1 << 20;
  private static final int THREAD_COUNT = 200;
  private static final int ARENA_COUNT = 80_000;
  private static final int RLIMIT_AS = 9;

  /** What stays open until the process ends. */
  private static final List<AutoCloseable> OWNERS = new ArrayList<>();

  private static boolean isAtEnd;
  private static int tryCount;

  private MachineProgram() {}

  /** The word may be followed by a size in bytes. */
  public static void main(String[] args) throws Throwable {
    switch (args[0]) {
      case "all" -> all(CommitMode.DISCARD);
      case "strict" -> all(CommitMode.PROTECT);
      case "interrupted" -> {
        Thread.currentThread().interrupt();
        all(CommitMode.DISCARD);
        System.out.println("interrupted=" + Thread.interrupted());
      }
      case "interruptedPretouch" -> interruptedPretouch();
      case "noThreads" -> noThreads();
      case "noSampling" -> noSampling();
      case "moves" -> System.out.println("moves=" + moves());
      case "interruptedMoves" -> {
        Thread.currentThread().interrupt();
        System.out.println("moves=" + moves());
      }
      case "deep" -> deep();
      case "mappings" -> mappings();
      case "resident" -> resident(false);
      case "residentAfterPretouch" -> resident(true);
      case "refused" -> refused(Long.parseLong(args[1]));
      default -> throw new IllegalArgumentException("no such word: " + args[0]);
    }
    System.out.println("done");
  }

  /** Every allocator does what it is for, and gives everything back. */
  private static void all(CommitMode mode) {
    Budget budget = Budget.limitedTo("all", 512 * MIB);
    try (ElasticSpace space =
            ElasticSpace.builder("tenants").budget(budget).commitMode(mode).build();
        PageAllocator pages =
            PageAllocator.builder("pages")
                .capacityBytes(64 * MIB)
                .budget(budget)
                .commitMode(mode)
                .build();
        ReservedMemory table = ReservedMemory.reserve("table", 16 * MIB, budget)) {
      try (ElasticArena confined = space.openConfined();
          ElasticArena shared = space.openShared();
          PageBuffer small = pages.allocate(1000, PageAge.SHORT_LIVED);
          PageBuffer large = pages.allocate(9 * MIB, PageAge.LONG_LIVED);
          Arena pooled = PooledArena.ofConfined()) {
        check(confined.allocate(100_000), 1);
        check(shared.allocate(3 * MIB), 2);
        check(small.segment(), 3);
        check(large.segment(), 4);
        check(pooled.allocate(48), 5);
        var _ = table.commit(0, MIB);
        check(table.segment().asSlice(0, MIB), 6);
        System.out.println("touched=" + (pretouched(space, pages, table) > 0));
      }
      SpaceAccess.verify(space);
      var _ = space.trim();
      var _ = pages.trim();
      var _ = table.uncommit(0, table.sizeBytes());
    }
    System.out.println("committed=" + budget.committedBytes());
  }

  private static long pretouched(ElasticSpace space, PageAllocator pages, ReservedMemory table) {
    if (Thread.currentThread().isInterrupted()) {
      return 1; // an interrupt ends a pretouch, as it shall: that is another word
    }
    Pretouch some = Pretouch.upTo(8 * MIB);
    return space.pretouch(some).touchedBytes()
        + pages.pretouch(some).touchedBytes()
        + table.pretouch(some).touchedBytes();
  }

  private static void check(MemorySegment segment, int stamp) {
    if (segment.mismatch(MemorySegment.ofArray(new byte[64])) < Math.min(64, segment.byteSize())) {
      for (long at = 0; at < segment.byteSize(); at++) {
        if (segment.get(ValueLayout.JAVA_BYTE, at) != 0) {
          throw new AssertionError("not zero: at=" + at + ", stamp=" + stamp);
        }
      }
    }
    var _ = segment.fill((byte) stamp);
  }

  private static void interruptedPretouch() {
    Thread.currentThread().interrupt();
    try (ReservedMemory table =
        ReservedMemory.reserve("table", 64 * MIB, Budget.unlimited("all"))) {
      try {
        System.out.println(table.pretouch(Pretouch.all().threads(1)));
      } catch (java.util.concurrent.CancellationException e) {
        System.out.println("cancelled, interrupted=" + Thread.interrupted());
      }
      System.out.println(
          "touched=" + table.pretouch(Pretouch.all().threads(1)).touchedBytes() / MIB + " MiB");
    }
  }

  /** The caller of a pretouch is alone. */
  private static void noThreads() throws Throwable {
    try (ReservedMemory table =
        ReservedMemory.reserve("table", 64 * MIB, Budget.unlimited("all"))) {
      var _ = table.pretouch(Pretouch.upTo(32 * MIB).threads(1));
      limitAddresses(statusBytes("VmSize:") + 16 * MIB);
      System.out.println("threads=" + table.pretouch(Pretouch.all().threads(4)).threadCount());
    }
  }

  /** The thread that samples cannot be started at first. */
  private static void noSampling() throws Throwable {
    limitAddresses(-1);
    try (ElasticSpace space = ElasticSpace.builder("sampled").build()) {
      limitAddresses(statusBytes("VmSize:") + 16 * MIB);
      var _ = space.statistics();
      System.out.println("sampled=" + isSampled());
      limitAddresses(-1);
      var _ = space.statistics();
      System.out.println("sampled=" + isSampled());
    }
  }

  private static boolean isSampled() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> "arenal-statistics".equals(thread.getName()));
  }

  /** The stack of one more thread does not fit into so few. The hard limit stays. */
  @SuppressWarnings("restricted")
  private static void limitAddresses(long sizeBytes) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      MethodHandle setLimit =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("setrlimit"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
      MemorySegment limit = arena.allocateFrom(JAVA_LONG, sizeBytes, -1);
      if ((int) setLimit.invokeExact(RLIMIT_AS, limit) != 0) {
        throw new IOException("setrlimit is refused");
      }
    }
  }

  private static long statusBytes(String name) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("no such line: " + name);
  }

  /** Whether a large buffer takes what is cached in 18 places, rather than memory of its own. */
  private static boolean moves() {
    try (PageAllocator pages = PageAllocator.builder("pages").capacityBytes(124 * MIB).build()) {
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 36; i++) {
        buffers.add(pages.allocate(2 * MIB, PageAge.LONG_LIVED));
        var _ = buffers.getLast().segment().fill((byte) 1);
      }
      for (int i = 17; i >= 0; i--) {
        buffers.remove(2 * i).close();
      }
      long before = pages.committedBytes();
      int movedCount = 0;
      for (int round = 0; round < 3; round++) {
        PageBuffer large = pages.allocate(36 * MIB, PageAge.LONG_LIVED);
        movedCount += pages.committedBytes() == before ? 1 : 0;
        large.close();
        scatter(pages, buffers);
      }
      buffers.forEach(PageBuffer::close);
      return movedCount == 3;
    }
  }

  /** Others among them are cached then. */
  private static void scatter(PageAllocator pages, List<PageBuffer> buffers) {
    for (int i = 0; i < 18; i++) {
      buffers.add(pages.allocate(2 * MIB, PageAge.LONG_LIVED));
    }
    for (int i = 17; i >= 0; i--) {
      buffers.remove(2 * i).close();
    }
  }

  /** The first use at the end of a stack fails there, or not; the second one elsewhere works. */
  private static void deep() throws InterruptedException {
    Thread thread = new Thread(null, () -> sink(Integer.MAX_VALUE), "deep", 512 << 10);
    thread.start();
    thread.join();
    System.out.println("tried=" + (tryCount > 10));
    all(CommitMode.DISCARD);
    System.out.println("moves=" + moves());
  }

  /** Each frame on the way back tries with a little more stack than the one before. */
  private static void sink(int most) {
    try {
      if (most > 0) {
        sink(most - 1);
      }
    } catch (StackOverflowError end) {
      isAtEnd = true;
    }
    if (isAtEnd) {
      try {
        var _ = OperatingSystem.current();
        isAtEnd = false;
      } catch (StackOverflowError | NoClassDefFoundError here) {
        tryCount++;
      }
    }
  }

  /** The worst pattern: every other granule is committed. */
  private static void mappings() throws Exception {
    Budget budget = Budget.unlimited("all");
    try (ElasticSpace space =
        ElasticSpace.builder("strict")
            .budget(budget)
            .commitMode(CommitMode.PROTECT)
            .granuleBytes(4096)
            .reclaimPolicy(ReclaimPolicy.AGGRESSIVE)
            .build()) {
      List<ElasticArena> arenas = new ArrayList<>();
      try {
        for (int i = 0; i < ARENA_COUNT; i++) {
          arenas.add(space.openConfined());
          var _ = arenas.getLast().allocate(4096).fill((byte) 1); // the granule behind is not there
        }
        System.out.println("not refused");
      } catch (OutOfMemoryError e) {
        System.out.println(e.getMessage());
      }
      startThreads();
      System.out.println("mappings=" + lineCount("/proc/self/maps"));
      arenas.forEach(ElasticArena::close);
      var _ = space.trim();
      System.out.println("committed=" + budget.committedBytes());
    }
  }

  private static void startThreads() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(THREAD_COUNT);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREAD_COUNT; i++) {
      Thread thread =
          new Thread(() -> {
            started.countDown();
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      thread.start();
      threads.add(thread);
    }
    started.await();
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("threads=" + threads.size());
  }

  /** What is resident of the mappings in which allocators of all kinds have a little each. */
  private static void resident(boolean withHugePages) throws IOException {
    Budget budget = Budget.unlimited("all");
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ElasticSpace space =
          ElasticSpace.builder("tiny" + i)
              .budget(budget)
              .commitMode(i % 2 == 0 ? CommitMode.DISCARD : CommitMode.PROTECT)
              .granuleBytes(4096)
              .build();
      OWNERS.add(space);
      addresses.add(space.openShared().allocate(4096).fill((byte) 1).address());
    }
    PageAllocator pages =
        PageAllocator.builder("pages")
            .capacityBytes(64 * MIB)
            .budget(budget)
            .slackPercent(0)
            .build();
    PageBuffer buffer = pages.allocate(8 * MIB, PageAge.LONG_LIVED);
    addresses.add(buffer.segment().fill((byte) 1).address());
    ReservedMemory table = ReservedMemory.reserve("table", 64 * MIB, budget);
    OWNERS.add(pages);
    OWNERS.add(table);
    var _ = table.commit(0, 4096);
    addresses.add(table.segment().asSlice(0, 4096).fill((byte) 1).address());
    if (withHugePages) {
      var report = table.pretouch(Pretouch.upTo(32 * MIB).withHugePages());
      System.out.println("huge=" + report.hugeBytes() / MIB);
    }
    long residentBytes = residentBytes(addresses);
    System.out.println("owners=" + OWNERS.size());
    System.out.println("committed=" + budget.committedBytes() + ", resident=" + residentBytes);
    System.out.println(
        "within=" + (residentBytes <= budget.committedBytes() + budget.committedBytes() * 3 / 100));
  }

  private static long residentBytes(List<Long> addresses) throws IOException {
    long bytes = 0;
    boolean isOurs = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      String first = line.substring(0, Math.max(0, line.indexOf(' ')));
      if (first.indexOf('-') > 0) {
        long from = Long.parseUnsignedLong(first.substring(0, first.indexOf('-')), 16);
        long to = Long.parseUnsignedLong(first.substring(first.indexOf('-') + 1), 16);
        isOurs = addresses.stream().anyMatch(address -> address >= from && address < to);
      } else if (isOurs && line.startsWith("Rss:")) {
        bytes += Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return bytes;
  }

  /** More addresses than the process may have are refused with figures, and all else goes on. */
  private static void refused(long sizeBytes) {
    try {
      ReservedMemory.reserve("large", sizeBytes, Budget.unlimited("all")).close();
      System.out.println("not refused");
    } catch (OutOfMemoryError e) {
      System.out.println(e.getMessage());
    }
    all(CommitMode.DISCARD);
    System.out.println("moves=" + moves());
  }

  private static long lineCount(String file) throws IOException {
    try (var lines = Files.lines(Path.of(file))) {
      return lines.count();
    }
  }
}
