package dev.arenal.faults;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Says when the rewritten library fails. One fault is armed at a time, for one thread or for all
 * threads but one; it fires once, or from the Nth place on.
 */
public final class Faults {
  /** The message of every error that is thrown here. */
  public static final String MESSAGE = "made by a test";

  /** The armed fault, replaced as a whole, so that a place sees all of it or nothing. */
  private static volatile @Nullable Armed armed;

  private static volatile long passedCount;

  private static volatile @Nullable Fault lastFault;

  private record Armed(
      Fault fault, Thread thread, boolean others, boolean sticky, AtomicLong left) {
    boolean concerns(Fault place) {
      return fault.isAt(place) && Thread.currentThread().equals(thread) != others;
    }
  }

  private Faults() {}

  /** Lets the {@code n}th place (from 1 on) that the current thread comes to fail, once. */
  public static void arm(Fault fault, long n) {
    armed = new Armed(fault, Thread.currentThread(), false, false, new AtomicLong(n));
  }

  /** Lets the {@code n}th place that the current thread comes to fail, and all after it. */
  public static void armFrom(Fault fault, long n) {
    armed = new Armed(fault, Thread.currentThread(), false, true, new AtomicLong(n));
  }

  /** Lets the {@code n}th place that any other thread comes to fail, once: the library's own. */
  public static void armOthers(Fault fault, long n) {
    armed = new Armed(fault, Thread.currentThread(), true, false, new AtomicLong(n));
  }

  /**
   * Nothing fails any more.
   *
   * @return whether something has failed since a fault was armed
   */
  public static boolean disarm() {
    Armed last = armed;
    armed = null;
    lastFault = last == null ? null : last.fault;
    passedCount = last == null ? 0 : Long.MAX_VALUE - last.left.get();
    return last != null && last.left.get() <= 0;
  }

  /** The fault that was armed until it was disarmed; null if none was. */
  public static @Nullable Fault lastFault() {
    return lastFault;
  }

  /** Places passed until it was disarmed, where {@link Long#MAX_VALUE} was armed. */
  static long passedCount() {
    return passedCount;
  }

  /** Called by the rewritten library before an object is created. */
  public static void onCreation() {
    at(Fault.HEAP);
  }

  /** Called by the rewritten library when a collection has taken an entry. */
  public static void onGrowth() {
    at(Fault.HEAP);
    at(Fault.GROWTH);
  }

  /** Called by the rewritten library where a method begins. */
  public static void onEntry() {
    at(Fault.STACK);
  }

  /** Called by the rewritten library where it looks whether there is stack enough. */
  public static void onReserve() {
    at(Fault.RESERVE);
  }

  private static void at(Fault place) {
    Armed current = armed;
    if (current == null || !current.concerns(place)) {
      return;
    }
    long left = current.left.decrementAndGet();
    if (left == 0 || (left < 0 && current.sticky)) {
      throw current.fault.error();
    }
  }
}
