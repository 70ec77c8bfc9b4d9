package dev.arenal.agent.sites;

import java.util.HashSet;
import java.util.Set;

/** The uses of the arena of one site on all paths through a method. */
final class Findings {
  private final Set<Integer> suppressing = new HashSet<>();
  private final Set<Integer> rethrownBehind = new HashSet<>();
  private boolean isClosed;
  private boolean isClosedByKotlin;
  private boolean isClosedTwice;
  private boolean isLeftOpen;
  private boolean isCheckedForNull;
  private boolean mayThrowWhileOpen;
  private boolean isStored;
  private boolean isReturned;
  private boolean isPassed;

  void close(Frame before) {
    isClosed = true;
    isClosedTwice |= !before.isOpen() && !before.isStray();
  }

  void closeByKotlin() {
    isClosedByKotlin = true;
  }

  /** An exception of the closing at this place would have joined the one of the body. */
  void suppress(int closedAt) {
    suppressing.add(closedAt);
  }

  /** The exception of the body is thrown on, after the closing at this place. */
  void rethrowBehind(int closedAt) {
    rethrownBehind.add(closedAt);
  }

  /** The last place that knew the arena is gone, or the method is left. */
  void leaveOpen(Frame frame) {
    isLeftOpen |= !frame.isStray();
  }

  void checkForNull() {
    isCheckedForNull = true;
  }

  void throwWhileOpen() {
    mayThrowWhileOpen = true;
  }

  void store() {
    isStored = true;
  }

  void giveBack() {
    isReturned = true;
  }

  void passOn() {
    isPassed = true;
  }

  /** Whether the arena is closed exactly once on every way that a try block can be left. */
  boolean isAlwaysClosed() {
    return isClosed && !isClosedTwice && !isLeftOpen && suppressing.containsAll(rethrownBehind);
  }

  /**
   * Whether an exception of the body keeps that of the close, as try-with-resources does and a
   * hand-written finally does not.
   */
  boolean isSuppressing() {
    return !suppressing.isEmpty();
  }

  /**
   * Whether there was nothing to suppress, and an arena that has just been opened is checked for
   * null all the same, as compilers do for an empty body.
   */
  boolean isEmptyBody() {
    return isCheckedForNull && !mayThrowWhileOpen;
  }

  /** The shape of an arena that is always closed, as a compiler does it. */
  SiteShape shapeOfCompiler() {
    return isClosedByKotlin ? SiteShape.KOTLIN_USE : SiteShape.TRY_WITH_RESOURCES;
  }

  /**
   * The shape if no compiler has seen to the arena, as far as is known.
   *
   * @param isWhole whether all ways have been followed to their ends
   */
  SiteShape shapeByHand(boolean isWhole) {
    if (isClosed) {
      return SiteShape.CLOSED_IN_METHOD;
    }
    if (isStored) {
      return SiteShape.STORED_IN_FIELD;
    }
    if (isReturned) {
      return SiteShape.RETURNED;
    }
    return isPassed || !isWhole ? SiteShape.PASSED_ON : SiteShape.NEVER_CLOSED;
  }
}
