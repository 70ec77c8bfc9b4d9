package dev.arenal.lab.buffers;

/** A few buffers on their way from one thread to another. */
final class Batch {
  /** One exchange for that many buffers: its cost is lost among those of the buffers. */
  static final int BUFFER_COUNT = 4;

  private final Slots slots;
  private int sender;
  private long sizeBytes;

  Batch(boolean hasHandles) {
    this.slots = new Slots(BUFFER_COUNT, hasHandles);
  }

  Slots slots() {
    return slots;
  }

  /** To be called when it is full, before another thread sees it. */
  void seal(int thread) {
    sender = thread;
    long sumBytes = 0;
    for (int i = 0; i < slots.count(); i++) {
      sumBytes += slots.sizeBytes(i);
    }
    sizeBytes = sumBytes;
  }

  /** The thread that sealed it last. */
  int sender() {
    return sender;
  }

  /** The sum of the buffers that were in it then. */
  long sizeBytes() {
    return sizeBytes;
  }
}
