package dev.arenal.lab.buffers;

/** One thread of a burst: its share of the buffers, and those of them that stay. */
final class BurstThread {
  /** One buffer of so many bytes stays. */
  private static final long BYTES_PER_SURVIVOR = 1 << 20;

  private static final int INITIAL_CAPACITY = 1024;

  private final BufferHands hands;
  private final Slots buffers;
  private final Slots survivors;
  private final long shareBytes;
  private final boolean hasSurvivors;
  private long survivorBytes;

  BurstThread(BufferPeer peer, BufferHands hands, long shareBytes, boolean hasSurvivors) {
    this.hands = hands;
    this.buffers = new Slots(INITIAL_CAPACITY, peer.hasHandles());
    this.survivors = new Slots(INITIAL_CAPACITY, peer.hasHandles());
    this.shareBytes = shareBytes;
    this.hasSurvivors = hasSurvivors;
  }

  /** Takes its share. The first buffer of each megabyte is the one that may stay. */
  void allocate() {
    long nextSurvivor = 0;
    long takenBytes = 0;
    while (takenBytes < shareBytes) {
      int sizeBytes = hands.nextSizeBytes();
      boolean isSurvivor = hasSurvivors && takenBytes >= nextSurvivor;
      hands.take(isSurvivor ? survivors : buffers, sizeBytes);
      if (isSurvivor) {
        survivorBytes += sizeBytes;
        nextSurvivor = (takenBytes / BYTES_PER_SURVIVOR + 1) * BYTES_PER_SURVIVOR;
      }
      takenBytes += sizeBytes;
    }
  }

  /** Frees all but those that stay. */
  void freeBurst() {
    hands.freeAll(buffers);
  }

  /** Frees those too. */
  void freeSurvivors() {
    hands.freeAll(survivors);
  }

  /** The hands, which have the times of what was allocated. */
  BufferHands hands() {
    return hands;
  }

  /** The sum of those that stay. */
  long survivorBytes() {
    return survivorBytes;
  }
}
