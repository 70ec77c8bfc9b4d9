package dev.arenal.agent.sites;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The known locals and operand stack at one point of one path through a method, and how far the
 * arena of the site has come on that way.
 *
 * <p>Only places that hold something of interest are stored, which keeps a frame to a few words
 * however many locals a method has. Heights of the stack count slots from where it was when the
 * site was reached, so they may be negative; a handler starts at zero again.
 */
final class Frame {
  /** Above all locals, with room for a stack that has shrunk. */
  private static final int STACK = 1 << 20;

  private static final int VALUE_BITS = 3;
  private static final int VALUE_MASK = (1 << VALUE_BITS) - 1;
  private static final int OPEN = -1;

  /** A closed arena whose place of closing no longer matters. */
  private static final int CLOSED_SOMEWHERE = Integer.MAX_VALUE;

  /** Sorted: the place, shifted, and its content. */
  private int[] places;

  private int height;
  private int closedAt;
  private boolean isEarly;
  private boolean isStray;

  private Frame(int[] places, int height, int closedAt, boolean isEarly, boolean isStray) {
    this.places = places;
    this.height = height;
    this.closedAt = closedAt;
    this.isEarly = isEarly;
    this.isStray = isStray;
  }

  /**
   * Behind the site: the arena alone is on the stack.
   *
   * @param probes the locals that hold {@link Held#PROBES}
   */
  static Frame behindSite(BitSet probes) {
    Frame frame = new Frame(new int[0], 0, OPEN, true, false);
    probes.stream().forEach(slot -> frame.setLocal(slot, Held.PROBES));
    frame.push(Held.ARENA);
    return frame;
  }

  Frame copy() {
    return new Frame(places, height, closedAt, isEarly, isStray);
  }

  /** The start of a handler: the locals of here, and the exception alone on the stack. */
  Frame atHandler(Held exception) {
    int localCount = 0;
    while (localCount < places.length && places[localCount] >> VALUE_BITS < STACK / 2) {
      localCount++;
    }
    Frame frame = new Frame(Arrays.copyOf(places, localCount), 0, closedAt, isEarly, isStray);
    frame.push(exception);
    return frame;
  }

  boolean isOpen() {
    return closedAt == OPEN;
  }

  /** The index of the instruction that closed the arena. */
  int closedAt() {
    return closedAt;
  }

  void close(int index) {
    closedAt = index;
    isEarly = false;
  }

  /** Whether no try block that begins behind the site has been entered. */
  boolean isEarly() {
    return isEarly;
  }

  void enterTry() {
    isEarly = false;
  }

  /** Whether an exception led away before any try block could close the arena. */
  boolean isStray() {
    return isStray;
  }

  void stray() {
    isStray = true;
  }

  boolean holds(Held value) {
    for (int place : places) {
      if ((place & VALUE_MASK) == value.code()) {
        return true;
      }
    }
    return false;
  }

  /** Forgets every place that holds the value. */
  void forget(Held value) {
    if (holds(value)) {
      places =
          Arrays.stream(places).filter(place -> (place & VALUE_MASK) != value.code()).toArray();
    }
  }

  /** Forgets the locals that nothing reads from the instruction on. */
  void forgetDead(LiveLocals live, int index) {
    int[] kept = new int[places.length];
    int keptCount = 0;
    for (int place : places) {
      int local = place >> VALUE_BITS;
      if (local >= STACK / 2 || live.isLive(index, local)) {
        kept[keptCount] = place;
        keptCount++;
      }
    }
    if (keptCount < places.length) {
      places = Arrays.copyOf(kept, keptCount);
    }
  }

  /**
   * Drops content that can no longer decide anything, so that paths that differ only in it become
   * one.
   */
  void simplify() {
    if (!holds(Held.PRIMARY)) {
      forget(Held.SUPPRESSED);
      closedAt = isOpen() ? OPEN : CLOSED_SOMEWHERE;
    }
  }

  Held local(int slot) {
    return at(slot);
  }

  void setLocal(int slot, Held value) {
    set(slot, value);
  }

  void push(Held value) {
    set(STACK + height, value);
    height++;
  }

  void pushOther(int slotCount) {
    for (int i = 0; i < slotCount; i++) {
      push(Held.OTHER);
    }
  }

  Held pop() {
    height--;
    Held value = at(STACK + height);
    set(STACK + height, Held.OTHER);
    return value;
  }

  void pop(int slotCount) {
    for (int i = 0; i < slotCount; i++) {
      Held _ = pop();
    }
  }

  /** The content at a depth of so many slots; 0 is the top. */
  Held peek(int depth) {
    return at(STACK + height - 1 - depth);
  }

  private Held at(int place) {
    int index = indexOf(place);
    return index < 0 ? Held.OTHER : Held.of(places[index] & VALUE_MASK);
  }

  private int indexOf(int place) {
    int index = Arrays.binarySearch(places, place << VALUE_BITS);
    // Values are not zero: the place is found where it would be inserted, or is not there.
    int at = index < 0 ? -index - 1 : index;
    return at < places.length && places[at] >> VALUE_BITS == place ? at : -at - 1;
  }

  private void set(int place, Held value) {
    int index = indexOf(place);
    if (index >= 0) {
      places = without(places, index);
    }
    if (value != Held.OTHER) {
      places = with(places, index >= 0 ? index : -index - 1, (place << VALUE_BITS) | value.code());
    }
  }

  private static int[] without(int[] from, int index) {
    int[] rest = Arrays.copyOf(from, from.length - 1);
    System.arraycopy(from, index + 1, rest, index, rest.length - index);
    return rest;
  }

  private static int[] with(int[] from, int index, int added) {
    int[] more = Arrays.copyOf(from, from.length + 1);
    System.arraycopy(from, index, more, index + 1, from.length - index);
    more[index] = added;
    return more;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Frame frame
        && height == frame.height
        && closedAt == frame.closedAt
        && isEarly == frame.isEarly
        && isStray == frame.isStray
        && Arrays.equals(places, frame.places);
  }

  @Override
  public int hashCode() {
    int hash = 31 * Arrays.hashCode(places) + height;
    return 31 * (31 * hash + closedAt) + (isEarly ? 1 : 0) + (isStray ? 2 : 0);
  }
}
