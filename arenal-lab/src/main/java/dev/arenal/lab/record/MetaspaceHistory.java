package dev.arenal.lab.record;

import dev.arenal.lab.trace.TraceSpace;
import dev.arenal.lab.trace.TraceVisitor;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The live blocks of the recorded JVM's metaspaces, line by line, and the resulting trace.
 *
 * <p>Lines of different threads interleave, so what one line announces for a later one is kept per
 * thread. Addresses are reused, by the JVM for its arenas and within them for blocks. A line that
 * does not fit to what was seen before changes nothing and is counted.
 */
final class MetaspaceHistory {
  private static final int BYTES_PER_WORD = 8;
  static final String PURGE_LABEL = "purge";

  private final TraceVisitor out;
  private final Map<Long, LoggedArena> arenas = new HashMap<>();
  private final Map<Long, LoggedThread> threads = new HashMap<>();
  private final Map<Long, LoggedNode> nodes = new HashMap<>();
  private final long[] committedBytes = new long[2];
  private final long[] toldCommittedBytes = new long[2];

  private LoggedThread lastThread = new LoggedThread(-1);
  private @Nullable LoggedArena lastArena;
  private int arenaCount;
  private int loaderCount;
  private int blockCount;
  private int commitGranuleBytes;
  private boolean hasEventSincePurge;
  private long anomalyCount;

  MetaspaceHistory(TraceVisitor out) {
    this.out = out;
  }

  void arenaBorn(long address, TraceSpace space) {
    if (arenas.containsKey(address)) { // the line of its death is missing
      anomalyCount++;
      arenaDied(address);
    }
    arenas.put(address, new LoggedArena(address, space));
  }

  void loaderBorn(long nonClassAddress, long classAddress) {
    LoggedArena nonClass = arenas.get(nonClassAddress);
    LoggedArena ofClasses = classAddress == 0 ? null : arenas.get(classAddress);
    if (nonClass == null || nonClass.isTold() || (classAddress != 0 && ofClasses == null)) {
      anomalyCount++;
      return;
    }
    int loader = loaderCount++;
    tellBirth(nonClass, loader);
    if (ofClasses != null) {
      if (ofClasses.isTold()) {
        anomalyCount++;
        return;
      }
      tellBirth(ofClasses, loader);
      nonClass.sibling = ofClasses;
      ofClasses.sibling = nonClass;
    }
  }

  void requested(long thread, long arenaAddress, long words) {
    LoggedThread state = thread(thread);
    state.requestedArena = arenaAddress;
    state.requestedWords = words > 0 && words <= Integer.MAX_VALUE ? (int) words : 0;
  }

  void failed(long thread) {
    thread(thread).requestedWords = 0;
  }

  /** A request got its block. */
  void served(long thread, long arenaAddress, long block) {
    LoggedArena arena = allocate(thread(thread), arenaAddress);
    if (arena != null) {
      arena.blocks.put(block, blockCount - 1);
    }
  }

  /** A request got a block whose address is told by {@link #allocated}. */
  void servedFromFreeBlocks(long thread, long arenaAddress) {
    LoggedThread state = thread(thread);
    state.unplacedArena = allocate(state, arenaAddress);
    state.unplacedBlock = blockCount - 1;
  }

  void allocated(long thread, long block) {
    LoggedThread state = thread(thread);
    if (state.unplacedArena != null) {
      state.unplacedArena.blocks.put(block, state.unplacedBlock);
      state.unplacedArena = null;
    }
  }

  /** Something remained of a chunk or a free block; the same thread adds it to free blocks. */
  void leftOver(long thread, long address, long words) {
    LoggedThread state = thread(thread);
    state.leftOverAddress = address;
    state.leftOverWords = words;
  }

  void addedToFreeBlocks(long thread, long arenaAddress, long block, long words) {
    LoggedThread state = thread(thread);
    if (state.leftOverAddress == block && state.leftOverWords == words) {
      state.leftOverAddress = 0;
    } else {
      deallocated(thread, arenaAddress, block);
    }
  }

  void deallocated(long thread, long arenaAddress, long address) {
    LoggedArena arena = arena(arenaAddress);
    if (arena == null) {
      anomalyCount++;
      return;
    }
    LoggedArena owner = arena;
    int block = arena.blocks.remove(address);
    if (block < 0 && arena.sibling != null) {
      // JDK 25 gives leftovers of the class space to the other arena of the loader, but takes
      // blocks back by where they are.
      owner = arena.sibling;
      block = owner.blocks.remove(address);
    }
    if (block < 0) {
      anomalyCount++;
      return;
    }
    beforeEvent();
    out.deallocate(owner.id, block);
  }

  void arenaDied(long address) {
    LoggedArena arena = arenas.remove(address);
    lastArena = null;
    if (arena == null) {
      anomalyCount++;
      return;
    }
    if (arena.sibling != null) {
      arena.sibling.sibling = null;
    }
    if (arena.isTold()) {
      beforeEvent();
      out.death(arena.id);
    }
  }

  void nodeBorn(long thread, long address) {
    LoggedNode node = new LoggedNode();
    thread(thread).bornNode = node;
    if (nodes.put(address, node) != null) {
      anomalyCount++;
    }
  }

  /** Only a list that grows says so; the node of the class space is alone. */
  void nodeIsNonClass(long thread) {
    LoggedNode node = thread(thread).bornNode;
    if (node == null) {
      anomalyCount++;
    } else {
      node.space = TraceSpace.NON_CLASS;
    }
  }

  void nodeDied(long address) {
    LoggedNode node = nodes.remove(address);
    if (node == null) {
      anomalyCount++;
    } else {
      addCommitted(node.space, -node.committedBytes);
    }
  }

  /** A node committed words, or uncommitted them if the number is negative. */
  void committed(long nodeAddress, long words) {
    LoggedNode node = nodes.get(nodeAddress);
    long bytes = words * BYTES_PER_WORD;
    if (node == null || node.committedBytes + bytes < 0) {
      anomalyCount++;
      return;
    }
    node.committedBytes += bytes;
    addCommitted(node.space, bytes);
  }

  void purge() {
    if (hasEventSincePurge) {
      beforeEvent();
      out.mark(PURGE_LABEL);
      hasEventSincePurge = false;
    }
  }

  void commitGranule(long bytes) {
    commitGranuleBytes = bytes > 0 && bytes <= Integer.MAX_VALUE ? (int) bytes : 0;
  }

  /** Tells what is still to be told when the log has ended. */
  void end() {
    tellCommitted();
  }

  int commitGranuleBytes() {
    return commitGranuleBytes;
  }

  long anomalyCount() {
    return anomalyCount;
  }

  private @Nullable LoggedArena allocate(LoggedThread thread, long arenaAddress) {
    LoggedArena arena = arena(arenaAddress);
    int words = thread.requestedWords;
    boolean isAnswer = words > 0 && thread.requestedArena == arenaAddress;
    thread.requestedWords = 0;
    if (arena == null || !isAnswer) {
      anomalyCount++;
      return null;
    }
    if (!arena.isTold()) {
      // The pairing line is missing; the arena then counts as a loader's only one.
      tellBirth(arena, loaderCount++);
    }
    beforeEvent();
    out.allocate(arena.id, words, blockCount);
    blockCount++;
    return arena;
  }

  private void tellBirth(LoggedArena arena, int loader) {
    beforeEvent();
    arena.id = arenaCount++;
    out.birth(arena.id, arena.space, loader);
  }

  private void addCommitted(TraceSpace space, long bytes) {
    committedBytes[space.index()] += bytes;
  }

  /** Commits come in bursts; only what holds at the next event is told. */
  private void beforeEvent() {
    tellCommitted();
    hasEventSincePurge = true;
  }

  private void tellCommitted() {
    for (TraceSpace space : TraceSpace.values()) {
      int index = space.index();
      if (committedBytes[index] != toldCommittedBytes[index]) {
        toldCommittedBytes[index] = committedBytes[index];
        out.hotspotCommitted(space, committedBytes[index]);
      }
    }
  }

  /** Lines come in runs of one thread and one arena. */
  private LoggedThread thread(long id) {
    if (lastThread.id != id) {
      lastThread = threads.computeIfAbsent(id, LoggedThread::new);
    }
    return lastThread;
  }

  private @Nullable LoggedArena arena(long address) {
    if (lastArena == null || lastArena.address != address) {
      lastArena = arenas.get(address);
    }
    return lastArena;
  }

  /** A living arena. */
  private static final class LoggedArena {
    private final long address;
    private final TraceSpace space;
    private final BlockTable blocks = new BlockTable();
    private int id = -1;
    private @Nullable LoggedArena sibling;

    LoggedArena(long address, TraceSpace space) {
      this.address = address;
      this.space = space;
    }

    boolean isTold() {
      return id >= 0;
    }
  }

  /** The allocation that a thread has announced. */
  private static final class LoggedThread {
    private final long id;
    private long requestedArena;
    private int requestedWords;
    private long leftOverAddress;
    private long leftOverWords;
    private @Nullable LoggedArena unplacedArena;
    private int unplacedBlock;
    private @Nullable LoggedNode bornNode;

    LoggedThread(long id) {
      this.id = id;
    }
  }

  /** A reserved mapping and how much of it is committed. */
  private static final class LoggedNode {
    private TraceSpace space = TraceSpace.CLASS;
    private long committedBytes;
  }
}
