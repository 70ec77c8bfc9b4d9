package dev.arenal.agent.sites;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ways through a method that are still to be followed from one site, each a frame before an
 * instruction; no frame comes to the same instruction twice.
 */
final class Ways {
  /** An instruction to analyse, and the frame before it. */
  record Way(int index, Frame frame) {}

  private static final int MAX_FRAMES_PER_INSTRUCTION = 512;

  private final MethodCode code;
  private final int site;
  private final Findings findings;
  private final boolean isTrusting;
  private final LiveLocals live;
  private final Deque<Way> open = new ArrayDeque<>();
  private final Map<Integer, Set<Frame>> seen = new HashMap<>();

  /**
   * All ways from a site on.
   *
   * @param isTrusting whether nothing throws while the arena is open but in try blocks that the
   *     site is not in
   */
  Ways(MethodCode code, int site, Findings findings, boolean isTrusting) {
    this.code = code;
    this.site = site;
    this.findings = findings;
    this.isTrusting = isTrusting;
    this.live = code.liveLocals();
  }

  /** The next one; null when all have been followed to their ends. */
  @Nullable Way next() {
    return open.pollLast();
  }

  /** Takes a way on, unless nothing that matters can happen on it any more. */
  void goOn(int index, Frame frame) {
    frame.forgetDead(live, index);
    frame.simplify();
    if (!frame.holds(Held.ARENA)) {
      if (frame.isOpen()) {
        findings.leaveOpen(frame);
        return;
      }
      if (!frame.holds(Held.PRIMARY)) {
        return;
      }
    }
    Set<Frame> frames = seen.computeIfAbsent(index, _ -> new HashSet<>());
    if (frames.add(frame)) {
      if (frames.size() > MAX_FRAMES_PER_INSTRUCTION) {
        throw new IllegalArgumentException("too many ways lead here: instruction=" + index);
      }
      open.add(new Way(index, frame));
    }
  }

  /** Notes that a try block begins, if the instruction is in one that the site is not in. */
  void enterTry(int index, Frame frame) {
    if (frame.isEarly() && isInTryOfItsOwn(index)) {
      frame.enterTry();
    }
  }

  private boolean isInTryOfItsOwn(int index) {
    for (MethodCode.Handler handler : code.handlers()) {
      if (handler.covers(index) && !handler.covers(site)) {
        return true;
      }
    }
    return false;
  }

  /** An exception of no known origin, such as any call may throw. */
  void raise(int index, Frame before) {
    if (isTrusting && before.isOpen() && !isInTryOfItsOwn(index)) {
      return;
    }
    Frame at = before.copy();
    at.forget(Held.SUPPRESSED);
    if (at.isOpen()) {
      findings.throwWhileOpen();
      at.forget(Held.PRIMARY);
      leave(index, at, Held.PRIMARY);
    } else {
      leave(index, at, Held.OTHER);
    }
  }

  /** The exception of the body is thrown again. */
  void raiseAgain(int index, Frame before) {
    Frame at = before.copy();
    if (at.isOpen()) {
      leave(index, at, Held.PRIMARY);
    } else {
      if (!at.isStray()) {
        findings.rethrowBehind(at.closedAt());
      }
      at.forget(Held.PRIMARY);
      leave(index, at, Held.OTHER);
    }
  }

  /** Closing the arena fails: an arena that was asked to close counts as closed. */
  void raiseFromClose(int index, Frame before) {
    Frame at = before.copy();
    at.close(index);
    at.forget(Held.SUPPRESSED);
    leave(index, at, Held.SUPPRESSED);
  }

  /** Goes to all handlers that may catch it, and out of the method if none surely does. */
  private void leave(int index, Frame at, Held exception) {
    for (MethodCode.Handler handler : code.handlers()) {
      if (handler.covers(index)) {
        Frame caught = at.atHandler(exception);
        if (caught.isEarly() && handler.covers(site)) {
          caught.stray();
        }
        goOn(handler.entry(), caught);
        if (handler.isForAll()) {
          return;
        }
      }
    }
    if (at.isOpen() && !at.isEarly()) {
      findings.leaveOpen(at);
    }
  }
}
