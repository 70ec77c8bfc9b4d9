package dev.arenal.soak;

import dev.arenal.faults.Fault;
import dev.arenal.faults.Faults;
import dev.arenal.memory.Budget;
import dev.arenal.reserve.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Some seconds of a soak: a budget, spaces and allocators that share it, and threads that use them.
 * Several times a second all stand still and everything is checked; at the end all is closed and
 * nothing may be left.
 */
final class SoakRound {
  private static final int SPACE_COUNT = 3;
  private static final int PAGE_COUNT = 2;
  private static final int COUNT_PLATFORM = 4;
  private static final int COUNT_VIRTUAL = 2;
  private static final long STACK_BYTES = 512 << 10;
  private static final long PAUSE_MILLIS = 200;
  private static final long LONGEST_SECONDS = 60;

  /** {@code -Dsoak.resident=false} leaves out what else than the library may be to blame for. */
  private static final boolean IS_RESIDENT_CHECKED =
      Boolean.parseBoolean(System.getProperty("soak.resident", "true"));

  private static final long RESIDENT_SLACK_BYTES = 6 << 20;

  final Tally tally;
  final Budget budget;
  final FlakyKernel kernel;
  private final Set<SoakFault> faults;
  private final SplittableRandom random;
  private final AtomicReferenceArray<SpaceOwner> spaces = new AtomicReferenceArray<>(SPACE_COUNT);
  private final AtomicReferenceArray<PagesOwner> pages = new AtomicReferenceArray<>(PAGE_COUNT);
  private final AtomicLong externalBytes = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * Read by threads that work, written by the one that checks; fair, so that checks get their turn.
   */
  private final ReentrantReadWriteLock working = new ReentrantReadWriteLock(true);

  /** A lock of the program, held in calls of the library and taken in callbacks. */
  private final ReentrantLock programLock = new ReentrantLock();

  /** Held strongly: the budget does not. */
  private final LongSupplier reclaimer = this::reclaim;

  private int ownerCount;
  private volatile boolean isOver;

  SoakRound(long seed, Set<SoakFault> faults, Tally tally) {
    this.random = new SplittableRandom(seed);
    this.faults = faults;
    this.tally = tally;
    this.kernel = new FlakyKernel(tally);
    long limitMib = random.nextInt(3) == 0 ? 2048 : 24 + random.nextInt(100);
    this.budget = Budget.limitedTo("soak", limitMib << 20);
    for (int i = 0; i < SPACE_COUNT; i++) {
      spaces.set(i, newSpace());
    }
    for (int i = 0; i < PAGE_COUNT; i++) {
      pages.set(i, newPages());
    }
    if (has(SoakFault.CALLBACKS)) {
      Ledger.of(budget).addReclaimer(reclaimer);
    }
  }

  private long reclaim() {
    return Callbacks.reclaim(this);
  }

  private SpaceOwner newSpace() {
    return new SpaceOwner("space-" + ownerCount++, budget, kernel, random);
  }

  private PagesOwner newPages() {
    return new PagesOwner("pages-" + ownerCount++, budget, kernel, random);
  }

  boolean has(SoakFault fault) {
    return faults.contains(fault);
  }

  SpaceOwner space(SplittableRandom drawing) {
    return spaces.get(drawing.nextInt(SPACE_COUNT));
  }

  PagesOwner pages(SplittableRandom drawing) {
    return pages.get(drawing.nextInt(PAGE_COUNT));
  }

  // ---- working ----

  /**
   * The whole round.
   *
   * @throws AssertionError for what was found; what is open then stays so
   */
  void run(Duration length) {
    long endNanos = System.nanoTime() + length.toNanos();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < COUNT_PLATFORM + COUNT_VIRTUAL; i++) {
      boolean isPlatform = i < COUNT_PLATFORM;
      SoakWorker worker = new SoakWorker(this, random.nextLong(), isPlatform);
      Thread.Builder builder =
          isPlatform ? Thread.ofPlatform().daemon().stackSize(STACK_BYTES) : Thread.ofVirtual();
      threads.add(builder.name("soak-" + i).start(() -> work(worker)));
    }
    while (System.nanoTime() < endNanos && failure.get() == null) {
      sleep(PAUSE_MILLIS);
      standStill();
    }
    isOver = true;
    threads.forEach(SoakRound::join);
    throwFailure();
    finish();
    throwFailure();
    tally.count(Tally.Kind.ROUNDS);
  }

  private void work(SoakWorker worker) {
    while (!isOver && failure.get() == null) {
      note(() -> {
        boolean isLocking = worker.random.nextInt(40) == 0;
        working.readLock().lock();
        try {
          if (isLocking) {
            underProgramLock(worker::turn);
          } else {
            worker.turn();
          }
        } finally {
          working.readLock().unlock();
        }
      });
    }
  }

  /** Does it; what it throws is what the round fails with, unless it is thrown on purpose. */
  void note(Runnable step) {
    try {
      step.run();
    } catch (Caller.ThrownByCallback e) {
      throw e;
    } catch (Throwable e) {
      var _ = failure.compareAndSet(null, e);
    }
  }

  /** Whether the calling thread has it. */
  boolean hasProgramLock() {
    return programLock.isHeldByCurrentThread();
  }

  void underProgramLock(Runnable step) {
    boolean isLocked;
    try {
      isLocked = programLock.tryLock(LONGEST_SECONDS / 2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    SoakWorker.check(isLocked, "a lock of the program is not given back: " + programLock);
    try {
      step.run();
    } finally {
      programLock.unlock();
    }
  }

  void takeExternal(long sizeBytes, long pieceBytes) {
    long wantedBytes = sizeBytes / pieceBytes * pieceBytes;
    if (Ledger.of(budget).tryCommit(wantedBytes)) {
      externalBytes.addAndGet(wantedBytes);
    }
  }

  void returnExternal() {
    Ledger.of(budget).uncommit(externalBytes.getAndSet(0));
  }

  static void join(Thread thread) {
    try {
      if (!thread.join(Duration.ofSeconds(LONGEST_SECONDS))) {
        Soak.dumpThreads();
        throw new AssertionError("a thread does not come back: " + thread.getName());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- checking ----

  private void standStill() {
    boolean isLocked;
    try {
      isLocked = working.writeLock().tryLock(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (!isLocked) {
      var _ = failure.compareAndSet(null, new AssertionError("a turn does not come to its end"));
      return;
    }
    try {
      note(() -> {
        if (failure.get() == null) {
          replaceDamaged();
          checkAll();
          failDaemons();
        }
      });
    } finally {
      working.writeLock().unlock();
    }
  }

  /** The Java heap is full for the library's own threads, while no other thread works. */
  private void failDaemons() {
    if (has(SoakFault.HEAP) && random.nextInt(4) == 0) {
      Faults.armOthers(Fault.HEAP, 1 + random.nextInt(40));
      sleep(20);
      if (Faults.disarm()) {
        tally.count(Tally.Kind.HEAP_ENDS);
      }
    }
  }

  private void replaceDamaged() {
    boolean isNeeded = owners().stream().anyMatch(Owner::isDamaged);
    if (isNeeded) {
      kernel.refuse(0);
    }
    for (int i = 0; i < SPACE_COUNT; i++) {
      if (spaces.get(i).isDamaged()) {
        closeWhole(spaces.get(i));
        spaces.set(i, newSpace());
      }
    }
    for (int i = 0; i < PAGE_COUNT; i++) {
      if (pages.get(i).isDamaged()) {
        closeWhole(pages.get(i));
        pages.set(i, newPages());
      }
    }
  }

  private static void closeWhole(Owner owner) {
    owner.closeContents();
    owner.close();
  }

  private Collection<Owner> owners() {
    List<Owner> owners = new ArrayList<>();
    for (int i = 0; i < SPACE_COUNT; i++) {
      owners.add(spaces.get(i));
    }
    for (int i = 0; i < PAGE_COUNT; i++) {
      owners.add(pages.get(i));
    }
    return owners;
  }

  private void checkAll() {
    tally.count(Tally.Kind.CHECKS);
    owners().forEach(Owner::verify);
    await(() -> budget.committedBytes() == countedBytes(), this::describeBudget);
    if (!kernel.isRefusing() && IS_RESIDENT_CHECKED) {
      checkResident();
    }
  }

  private long countedBytes() {
    return owners().stream().mapToLong(Owner::committedBytes).sum() + externalBytes.get();
  }

  private String describeBudget() {
    return "budget differs: " + budget + ", countedBytes=" + countedBytes();
  }

  private void checkResident() {
    AtomicLong seen = new AtomicLong();
    await(
        () -> {
          long committedBytes = budget.committedBytes() - externalBytes.get();
          long residentBytes = kernel.residentBytes();
          seen.set(residentBytes);
          return residentBytes <= committedBytes + committedBytes / 32 + RESIDENT_SLACK_BYTES;
        },
        () -> "more is resident: bytes=" + seen + ", " + budget + ", external=" + externalBytes);
  }

  /** Daemon threads may be in the middle of something: it must come true soon. */
  private static void await(
      java.util.function.BooleanSupplier condition, java.util.function.Supplier<String> what) {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > endNanos) {
        throw new AssertionError(what.get());
      }
      Thread.onSpinWait();
    }
  }

  // ---- the end ----

  private void finish() {
    note(() -> {
      kernel.refuse(0);
      returnExternal();
      replaceDamaged();
      checkAll();
      owners().forEach(Owner::closeContents);
      for (Owner owner : owners()) {
        if (!owner.isDamaged()) {
          await(
              () -> {
                owner.trim();
                return owner.committedBytes() == 0;
              },
              () -> "committed after trim: " + owner.describe());
          owner.verify();
        }
      }
      owners().forEach(Owner::close);
      SoakWorker.check(budget.committedBytes() == 0, "budget in the end: " + budget);
      SoakWorker.check(
          kernel.mappedBytes() == 0, "mapped in the end: bytes=" + kernel.mappedBytes());
      Ledger.of(budget).removeReclaimer(reclaimer);
    });
  }

  private void throwFailure() {
    Throwable first = failure.get();
    if (first != null) {
      throw new AssertionError(Objects.toString(first.getMessage(), first.toString()), first);
    }
  }
}
