package dev.arenal.lab.buffers;

/**
 * One thread of a churn. Its live buffers have a fixed sum of bytes: before it takes a new one it
 * gives random ones up until there is room. A third of those it leaves in the exchange, and frees
 * as many that another thread left there.
 */
final class ChurnThread {
  /** An odd number that spreads seeds. */
  private static final long MIXER = 0x9E37_79B9_7F4A_7C15L;

  private static final long CHOICE_MASK = 0xFFFF;
  private static final long THIRD = CHOICE_MASK / 3;

  /** The first buffers need not fill the last bytes. */
  private static final double FULL_ENOUGH = 0.98;

  private static final int INITIAL_CAPACITY = 1024;

  private final BufferPeer peer;
  private final BufferHands hands;
  private final Slots own;
  private final Exchange exchange;
  private final int thread;
  private final boolean isAlone;
  private final long targetBytes;
  private final int threadCount;
  private Batch outgoing;
  private long ownBytes;
  private long random;
  private long freedForOthersCount;

  /**
   * A thread that has not begun.
   *
   * @param exchange where threads hand buffers to each other; without places if there is one thread
   * @param targetBytes the sum of its own buffers
   */
  ChurnThread(BufferPeer peer, BufferHands hands, Exchange exchange, Seat seat, long targetBytes) {
    this.peer = peer;
    this.hands = hands;
    this.own = new Slots(INITIAL_CAPACITY, peer.hasHandles());
    this.exchange = exchange;
    this.thread = seat.thread();
    this.threadCount = seat.threadCount();
    this.isAlone = exchange.placeCount() == 0;
    this.targetBytes = targetBytes;
    this.random = (seat.seed() + thread + 1) * MIXER | 1;
    this.outgoing = new Batch(peer.hasHandles());
  }

  /** Takes buffers until the sum is reached, and its part of those that are exchanged. */
  void fill() {
    for (int place = thread; place < exchange.placeCount(); place += threadCount) {
      Batch batch = new Batch(peer.hasHandles());
      while (batch.slots().count() < Batch.BUFFER_COUNT) {
        hands.take(batch.slots(), hands.nextSizeBytes());
      }
      batch.seal(thread);
      exchange.put(place, batch);
    }
    int missedCount = 0;
    while (ownBytes < targetBytes * FULL_ENOUGH && missedCount < hands.sizeCount()) {
      int sizeBytes = hands.nextSizeBytes();
      if (ownBytes + sizeBytes <= targetBytes) {
        take(sizeBytes);
        missedCount = 0;
      } else if (ownBytes == 0) {
        return;
      } else {
        missedCount++; // of all sizes in a row: none fits
      }
    }
  }

  /** The hands, which have the times and sums of what was allocated and freed. */
  BufferHands hands() {
    return hands;
  }

  /** One operation: a new buffer, and room made for it. */
  void replace() {
    int sizeBytes = hands.nextSizeBytes();
    while (ownBytes + sizeBytes > targetBytes && own.count() > 0) {
      giveUp();
    }
    take(sizeBytes);
  }

  private void take(int sizeBytes) {
    hands.take(own, sizeBytes);
    ownBytes += sizeBytes;
  }

  private void giveUp() {
    long drawn = nextRandom();
    int victim = (int) (((drawn >>> Integer.SIZE) * own.count()) >>> Integer.SIZE);
    if (isAlone || (drawn & CHOICE_MASK) >= THIRD) {
      ownBytes -= own.sizeBytes(victim);
      hands.free(own, victim);
      return;
    }
    own.moveTo(outgoing.slots(), victim); // counted as its own until another thread may free it
    if (outgoing.slots().count() == Batch.BUFFER_COUNT) {
      outgoing.seal(thread);
      ownBytes -= outgoing.sizeBytes();
      outgoing = exchange.swap(outgoing, nextRandom());
      if (outgoing.sender() != thread) {
        freedForOthersCount += outgoing.slots().count();
      }
      hands.freeAll(outgoing.slots());
    }
  }

  /** Frees everything, its part of what lies in the exchange too. */
  void freeAll() {
    hands.freeAll(own);
    hands.freeAll(outgoing.slots());
    ownBytes = 0;
    for (int place = thread; place < exchange.placeCount(); place += threadCount) {
      Batch batch = exchange.clear(place);
      if (batch != null) {
        hands.freeAll(batch.slots());
      }
    }
  }

  /** By xorshift: a few instructions, the same for all allocators. */
  private long nextRandom() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return random;
  }

  /** Buffers freed that another thread had handed over. */
  long freedForOthersCount() {
    return freedForOthersCount;
  }
}
