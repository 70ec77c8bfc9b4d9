package dev.arenal.lab.buffers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** An allocator whose buffers are objects, which knows what is live and can be told to err. */
final class FakePeer implements BufferPeer {
  /** No test asks for a larger buffer of one that errs. */
  static final int MOST_BYTES_TWICE = 20_000;

  /** Two early buffers one after the other, when none has been freed yet. */
  private static final int GIVEN_TWICE = 100;

  private final Map<Object, Arena> live = new HashMap<>();
  private final boolean isBroken;

  /**
   * Given out twice. Whole for either buffer, however large and whichever is freed first: otherwise
   * the test would write and read memory of the JVM itself.
   */
  private final MemorySegment twice = Arena.ofAuto().allocate(MOST_BYTES_TWICE, Long.BYTES);

  private int countAllocated;
  private long liveBytes;
  private long mostLiveBytes;

  FakePeer(boolean isBroken) {
    this.isBroken = isBroken;
  }

  @Override
  public synchronized long allocate(Slots slots, int index, int sizeBytes) {
    Object handle = new Object();
    Arena arena = Arena.ofShared();
    live.put(handle, arena);
    slots.setHandle(index, handle);
    liveBytes += sizeBytes;
    mostLiveBytes = Math.max(mostLiveBytes, liveBytes);
    countAllocated++;
    if (isBroken && (countAllocated == GIVEN_TWICE || countAllocated == GIVEN_TWICE + 1)) {
      return twice.asSlice(0, sizeBytes).address();
    }
    return arena.allocate(sizeBytes, Long.BYTES).address();
  }

  @Override
  public synchronized void free(Slots slots, int index) {
    Object handle = Objects.requireNonNull(slots.handle(index));
    Objects.requireNonNull(live.remove(handle), "freed twice").close();
    liveBytes -= slots.sizeBytes(index);
  }

  synchronized int liveCount() {
    return live.size();
  }

  /** The most bytes live at any one moment; exact, unlike a sum over threads that go on. */
  synchronized long mostLiveBytes() {
    return mostLiveBytes;
  }

  @Override
  public boolean hasHandles() {
    return true;
  }

  @Override
  public boolean trim() {
    return false;
  }

  @Override
  public String library() {
    return "fake";
  }
}
