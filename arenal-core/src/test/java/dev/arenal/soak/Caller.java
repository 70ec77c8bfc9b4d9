package dev.arenal.soak;

import dev.arenal.faults.Fault;
import dev.arenal.faults.Faults;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the library for one thread, now and then near the end of the stack, and tells what came of
 * it: what an error may be is known, and anything else is a finding.
 */
final class Caller {
  enum Outcome {
    DONE,
    /** There is no room, or it is not the time for it. */
    REFUSED,
    /** The stack or the Java heap has ended. */
    ENDED,
    /** The owner says that it is damaged. */
    DAMAGED,
    /** Another thread has closed the arena, or has reset it. */
    CLOSED
  }

  /** Thrown by a callback on purpose. */
  static final class ThrownByCallback extends RuntimeException {
    private static final long serialVersionUID = 1;

    ThrownByCallback() {
      super("thrown by a callback");
    }
  }

  private static final int CALLS_PER_DIVE = 60;
  private static final int CALLS_PER_INJECTION = 30;

  /** One fault is armed at a time in the process. */
  private static final ReentrantLock ARMING = new ReentrantLock();

  private final SoakRound round;
  private final SplittableRandom random;
  private final boolean dives;
  private final DeepCall deep = new DeepCall();
  private boolean isDeep;
  private Outcome outcome = Outcome.DONE;

  /** Where a result is put without a call. */
  private static final class Slot<T> {
    @Nullable T value;
    boolean isOver;
  }

  Caller(SoakRound round, SplittableRandom random, boolean dives) {
    this.round = round;
    this.random = random;
    this.dives = dives && round.has(SoakFault.STACK);
  }

  /** The outcome of the last call. */
  Outcome outcome() {
    return outcome;
  }

  /** Whether it is inside a call near the end of the stack. */
  boolean isDeep() {
    return isDeep;
  }

  /** A call that has no result. */
  boolean run(@Nullable Owner owner, @Nullable Arena arena, Runnable operation) {
    return call(
            owner,
            arena,
            () -> {
              operation.run();
              return Boolean.TRUE;
            })
        != null;
  }

  /** The result; or null, where {@link #outcome} says why. */
  <T> @Nullable T call(@Nullable Owner owner, @Nullable Arena arena, Supplier<T> operation) {
    boolean isDive = dives && !isDeep && random.nextInt(CALLS_PER_DIVE) == 0;
    MemorySegment.Scope scope = arena == null ? null : arena.scope();
    Slot<T> slot = new Slot<>();
    Throwable thrown = null;
    if (isDive) {
      int frames = random.nextInt(random.nextBoolean() ? 300 : 2000);
      isDeep = true;
      thrown =
          deep.run(
              frames,
              () -> {
                slot.value = operation.get();
                slot.isOver = true;
              });
      isDeep = false;
    }
    if (!slot.isOver && thrown == null) {
      boolean isArmed = arm();
      try {
        slot.value = operation.get();
      } catch (Throwable e) {
        thrown = e;
      } finally {
        disarm(isArmed);
      }
    }
    outcome = thrown == null ? Outcome.DONE : outcomeOf(thrown, owner, scope, isDive);
    round.tally.count(Tally.Kind.OPERATIONS);
    return slot.value;
  }

  /** Lets the Java heap end at one of the places to come, where the library is rewritten for it. */
  private boolean arm() {
    boolean isWanted =
        round.has(SoakFault.HEAP) && !isDeep && random.nextInt(CALLS_PER_INJECTION) == 0;
    if (!isWanted || ARMING.isHeldByCurrentThread() || !ARMING.tryLock()) {
      return false;
    }
    // The stack ends by itself, where it really does: an unlock must not be told that it cannot.
    Faults.arm(Fault.HEAP, 1 + random.nextInt(1 << random.nextInt(1, 9)));
    return true;
  }

  /** In a callback: what calls back does more than one thing, and the fault is not meant for it. */
  static void disarmForCallback() {
    if (ARMING.isHeldByCurrentThread()) {
      var _ = Faults.disarm();
    }
  }

  private static void disarm(boolean isArmed) {
    if (isArmed) {
      var _ = Faults.disarm();
      ARMING.unlock();
    }
  }

  /**
   * @param scope of the arena before the call: another thread may have ended it
   */
  private Outcome outcomeOf(
      Throwable thrown,
      @Nullable Owner owner,
      MemorySegment.@Nullable Scope scope,
      boolean isDive) {
    String message = Objects.toString(thrown.getMessage(), "");
    if (thrown instanceof StackOverflowError
        && (isDive || isDeep || message.equals(Faults.MESSAGE))) {
      round.tally.count(Tally.Kind.STACK_ENDS);
      return Outcome.ENDED;
    } else if (thrown instanceof OutOfMemoryError && message.equals(Faults.MESSAGE)) {
      round.tally.count(Tally.Kind.HEAP_ENDS);
      return Outcome.ENDED;
    } else if (thrown instanceof OutOfMemoryError && isRefusal(message)) {
      round.tally.count(Tally.Kind.REFUSALS);
      return Outcome.REFUSED;
    } else if (thrown instanceof IllegalStateException && owner != null && isDamage(message)) {
      if (!owner.isDamaged()) {
        owner.markDamaged();
        round.tally.count(Tally.Kind.DAMAGES);
        thrown.printStackTrace(System.out); // with its cause: why it has come to that
      }
      return Outcome.DAMAGED;
    } else if (thrown instanceof IllegalStateException && scope != null && !scope.isAlive()) {
      var _ = Thread.interrupted(); // as the JVM does where it stops an access
      return Outcome.CLOSED;
    } else if (thrown instanceof IllegalStateException && isNotNow(message)) {
      return Outcome.REFUSED;
    } else if (thrown instanceof ThrownByCallback || thrown instanceof CancellationException) {
      return Outcome.DONE;
    }
    throw new AssertionError("unexpected: " + thrown + ", owner=" + name(owner), thrown);
  }

  private static boolean isRefusal(String message) {
    return message.startsWith("native memory refused: ")
        || message.startsWith("no room: ")
        || message.startsWith("pretouch ")
        || message.startsWith("address space refused: ");
  }

  /** Of a space, or of an allocator. */
  private static boolean isDamage(String message) {
    return message.contains(" is damaged: ");
  }

  private static boolean isNotNow(String message) {
    return message.contains("pretouch") || message.contains("reclaimer");
  }

  private static String name(@Nullable Owner owner) {
    return owner == null ? "none" : owner.name();
  }
}
