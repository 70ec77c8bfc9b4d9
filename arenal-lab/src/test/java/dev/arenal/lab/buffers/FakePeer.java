package dev.arenal.lab.buffers;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** An allocator whose buffers are objects, which knows what is live and can be told to err. */
final class FakePeer implements BufferPeer {
  private final Map<Object, Arena> live = new HashMap<>();
  private final boolean isBroken;
  private long lastAddress;
  private int countAllocated;

  FakePeer(boolean isBroken) {
    this.isBroken = isBroken;
  }

  @Override
  public PeerKind kind() {
    return PeerKind.ARENAL;
  }

  @Override
  public synchronized long allocate(Slots slots, int index, int sizeBytes) {
    Object handle = new Object();
    Arena arena = Arena.ofShared();
    live.put(handle, arena);
    slots.setHandle(index, handle);
    countAllocated++;
    long address = arena.allocate(sizeBytes, 8).address();
    // Memory of the buffer before, while that is live.
    long given = isBroken && countAllocated == 100 ? lastAddress : address;
    lastAddress = address;
    return given;
  }

  @Override
  public synchronized void free(Slots slots, int index) {
    Object handle = Objects.requireNonNull(slots.handle(index));
    Objects.requireNonNull(live.remove(handle), "freed twice").close();
  }

  synchronized int countLive() {
    return live.size();
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

  @Override
  public void close() {}
}
