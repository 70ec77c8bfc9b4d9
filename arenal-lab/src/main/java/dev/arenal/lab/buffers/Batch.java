package dev.arenal.lab.buffers;

/** A few buffers on their way from one thread to another. */
final class Batch {
  /** One exchange for that many buffers: its cost is lost among those of the buffers. */
  static final int COUNT_BUFFERS = 4;

  private final Slots slots;
  private int sender;

  Batch(boolean hasHandles) {
    this.slots = new Slots(COUNT_BUFFERS, hasHandles);
  }

  Slots slots() {
    return slots;
  }

  /** The thread that left it last. */
  int sender() {
    return sender;
  }

  void setSender(int thread) {
    sender = thread;
  }
}
