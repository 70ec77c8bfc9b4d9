package dev.arenal.elastic.chunk;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import dev.arenal.reserve.ReserveFailedException;
import dev.arenal.supply.Claim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reserved mappings of a space: one of a fixed size, or as many as it takes.
 *
 * <p>A growable space doubles what it has reserved with each node, so that a hundred gigabytes are
 * a dozen mappings. Guarded by the lock of the space.
 */
public final class Nodes implements Claim.Reservations {
  /** HotSpot's node size: four roots. Address space costs nothing, mappings cost a little. */
  private static final long FIRST_NODE_BYTES = 4 * Chunk.ROOT_BYTES;

  private static final long LARGEST_NODE_BYTES = 1L << 34;

  private final OperatingSystem os;
  private final CommitMode commitMode;
  private final Budget budget;
  private final long granuleBytes;
  private final boolean isGrowable;
  private final SpaceCounters counters;
  private final List<Node> list = new ArrayList<>();
  private final List<Node> ofRoot = new ArrayList<>();
  private long reservedBytes;
  private long releasedEverCommittedBytes;
  private long lastErrno;

  public Nodes(
      OperatingSystem os,
      CommitMode commitMode,
      Budget budget,
      long granuleBytes,
      boolean isGrowable,
      SpaceCounters counters) {
    this.os = os;
    this.commitMode = commitMode;
    this.budget = budget;
    this.granuleBytes = granuleBytes;
    this.isGrowable = isGrowable;
    this.counters = counters;
  }

  public int count() {
    return list.size();
  }

  public Node get(int index) {
    return list.get(index);
  }

  /** The same as addresses; null behind the last. */
  public @Nullable Reservation reservation(int index) {
    return index < list.size() ? list.get(index).reservation : null;
  }

  public Node ofRoot(int root) {
    return ofRoot.get(root);
  }

  public long reservedBytes() {
    return reservedBytes;
  }

  /** Why the kernel refused the last node, a negative errno; 0 if it never did. */
  public long lastErrno() {
    return lastErrno;
  }

  public long committedBytes() {
    long bytes = 0;
    for (int i = 0; i < list.size(); i++) { // no iterator: the heap may be full
      bytes += list.get(i).reservation.committedBytes();
    }
    return bytes;
  }

  /** All bytes that were ever committed. */
  public long everCommittedBytes() {
    long bytes = releasedEverCommittedBytes;
    for (int i = 0; i < list.size(); i++) {
      bytes += list.get(i).reservation.everCommittedBytes();
    }
    return bytes;
  }

  /** All bytes that ever went back to the operating system. */
  public long everUncommittedBytes() {
    return everCommittedBytes() - committedBytes();
  }

  /** An error where the address is in no node. */
  @Override
  public Reservation reservationOf(long address) {
    return nodeOf(address).reservation;
  }

  /** An error where the address is in no node. */
  public Node nodeOf(long address) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).contains(address)) {
        return list.get(i);
      }
    }
    throw new AssertionError("address is in no node: 0x" + Long.toHexString(address));
  }

  /** A node that has roots not in use yet, or null. */
  @Nullable Node withRoom() {
    for (int i = 0; i < list.size(); i++) {
      Node node = list.get(i);
      if (!node.isFull()) {
        return node;
      }
    }
    return null;
  }

  /**
   * Reserves a node with room for {@code sizeBytes}; null if the space may not or cannot grow. One
   * that begins at an address aligned to more than a root has no more room than that.
   */
  public @Nullable Node add(long sizeBytes, long alignmentBytes) {
    lastErrno = 0;
    if (!isGrowable || sizeBytes > Long.MAX_VALUE - Chunk.ROOT_BYTES) {
      return null;
    }
    long neededBytes = (sizeBytes + Chunk.ROOT_BYTES - 1) & -Chunk.ROOT_BYTES;
    long usualBytes =
        alignmentBytes > Chunk.ROOT_BYTES
            ? neededBytes
            : Math.clamp(reservedBytes, FIRST_NODE_BYTES, LARGEST_NODE_BYTES);
    try {
      return addExactly(Math.max(neededBytes, usualBytes), alignmentBytes);
    } catch (ReserveFailedException e) {
      // Under a limit on address space the usual size may be too much where the needed is not.
      try {
        return addExactly(neededBytes, alignmentBytes);
      } catch (ReserveFailedException again) {
        lastErrno = again.errno();
        return null;
      }
    }
  }

  public Node addExactly(long sizeBytes, long alignmentBytes) throws ReserveFailedException {
    Reservation reservation =
        Reservation.reserve(
            os,
            sizeBytes,
            alignmentBytes,
            granuleBytes,
            commitMode == CommitMode.PROTECT,
            Ledger.of(budget));
    int nodeCount = list.size();
    int rootCount = ofRoot.size();
    try {
      Node node = new Node(reservation, rootCount);
      list.add(node);
      for (int i = 0; i < node.capacityRoots; i++) {
        ofRoot.add(node);
      }
      reservedBytes += sizeBytes;
      counters.nodeBirths++;
      return node;
    } catch (Throwable e) { // the heap is full
      removeFrom(list, nodeCount);
      removeFrom(ofRoot, rootCount);
      var _ = reservation.release();
      throw e;
    }
  }

  private static void removeFrom(List<Node> nodes, int count) {
    while (nodes.size() > count) {
      var _ = nodes.removeLast();
    }
  }

  /** Unmaps everything; what the kernel refuses to unmap stays, and is tried the next time. */
  public void release() {
    for (int i = list.size() - 1; i >= 0; i--) {
      Node node = list.get(i);
      int result = node.reservation.release();
      if (result < 0) {
        lastErrno = result;
        continue;
      }
      var _ = list.remove(i);
      reservedBytes -= node.reservation.sizeBytes();
      releasedEverCommittedBytes += node.reservation.everCommittedBytes();
      counters.nodeDeaths++;
    }
  }
}
