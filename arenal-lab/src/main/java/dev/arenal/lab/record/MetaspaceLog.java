package dev.arenal.lab.record;

import dev.arenal.lab.trace.TraceSpace;

/**
 * The grammar of HotSpot's {@code -Xlog:metaspace=trace}, decorated with the thread id alone.
 *
 * <p>Knows the lines of JDK 17 to 25; what differs between them is noted at each method. Lines
 * about chunks are passed over. A line about an arena or a node that is of no known form is
 * counted: it means that a newer JVM says something else than this class understands.
 */
final class MetaspaceLog {
  private final MetaspaceHistory history;
  private final LogLine line = new LogLine();
  private long lineCount;
  private long unknownLineCount;
  private long droppedLineCount;

  MetaspaceLog(MetaspaceHistory history) {
    this.history = history;
  }

  /** Takes in one line, given without its line break. */
  void accept(byte[] bytes, int start, int end) {
    lineCount++;
    line.of(bytes, start, end);
    if (!line.skip("[")) {
      unknownLineCount++;
      return;
    }
    long thread = line.readDecimal();
    line.skipSpaces();
    boolean isKnown = thread >= 0 && line.skip("] ") && acceptMessage(thread);
    if (!isKnown) {
      unknownLineCount++;
    }
  }

  long lineCount() {
    return lineCount;
  }

  long unknownLineCount() {
    return unknownLineCount;
  }

  /** Lines that the JVM says it has dropped. */
  long droppedLineCount() {
    return droppedLineCount;
  }

  private boolean acceptMessage(long thread) {
    return switch (line.peek()) {
      case 'A' -> !line.skip("Arena @") || acceptArena(thread);
      case 'M' -> !line.skip("Metaspace::allocate: ") || acceptAllocate(thread);
      case 'C' -> acceptLoaderOrChunkManager();
      case 'V' -> acceptNode(thread);
      case ' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> acceptSetting();
      default -> true;
    };
  }

  private boolean acceptSetting() {
    if (line.skip(" - commit_granule_bytes: ")) {
      history.commitGranule(line.readDecimal());
      return true;
    }
    line.skipSpaces();
    long count = line.readDecimal();
    if (count > 0 && line.skip(" messages dropped due to async logging")) {
      droppedLineCount += count;
    }
    return true;
  }

  /** {@code Arena @0x1 (class arena): …} or, up to JDK 23, {@code Arena @0x1 (class sm): …}. */
  private boolean acceptArena(long thread) {
    long arena = line.readAddress();
    boolean isNonClass = line.skip(" (non-class ");
    if (!isNonClass && !line.skip(" (class ")) {
      return false;
    }
    if (!line.skip("arena): ") && !line.skip("sm): ")) {
      return false;
    }
    line.skip(": ");
    return switch (line.peek()) {
      case 'a' -> acceptAfterOrAdded(thread, arena);
      case 'r' -> acceptRequestedOrReturned(thread, arena);
      case 'b' -> acceptBorn(arena, isNonClass ? TraceSpace.NON_CLASS : TraceSpace.CLASS);
      case 'd' -> acceptDies(thread, arena);
      case 't' -> acceptTaken(thread, arena);
      default ->
          line.skip("enlarged chunk")
              || line.skip("salvaging chunk")
              || line.skip("failed to allocate new chunk")
              || line.skip("commit failure");
    };
  }

  private boolean acceptBorn(long arena, TraceSpace space) {
    if (line.skip("born.")) {
      history.arenaBorn(arena, space);
      return true;
    }
    return false;
  }

  private boolean acceptTaken(long thread, long arena) {
    // JDK 17: the address follows with the line of Metaspace::allocate.
    if (line.skip("taken from fbl (now")) {
      history.servedFromFreeBlocks(thread, arena);
      return true;
    }
    return false;
  }

  private boolean acceptAfterOrAdded(long thread, long arena) {
    if (line.skip("after allocation: ") || line.skip("allocated new chunk ")) {
      return true;
    }
    if (line.skip("added to fbl: block (@")) {
      // JDK 25: leftovers of chunks and blocks given back early look alike.
      long block = line.readAddress();
      history.addedToFreeBlocks(thread, arena, block, readWordSize());
      return true;
    }
    if (line.skip("allocation failed")) {
      history.failed(thread);
      return true;
    }
    return false;
  }

  private boolean acceptRequestedOrReturned(long thread, long arena) {
    if (line.skip("requested ")) {
      long words = line.readDecimal();
      history.requested(thread, arena, words);
      return line.skip(" words.");
    }
    if (line.skip("returning block (@")) {
      return acceptReturningBlock(thread, arena);
    }
    if (line.skip("returning ")) {
      // JDK 17: the size is that of the request.
      history.served(thread, arena, line.readAddress());
      return true;
    }
    return line.skip("return chunk: ") || line.skip("returned ");
  }

  /** JDK 25: {@code @0x1 word size 4) taken from arena, wastage block (@0x2 word size 1)}. */
  private boolean acceptReturningBlock(long thread, long arena) {
    long block = line.readAddress();
    readWordSize();
    if (line.skip(") with wastage block")) {
      // A hit in the free blocks prints two lines; the next one tells all.
      return true;
    }
    if (!line.skip(") taken from arena, ") && !line.skip(") taken from fbl, ")) {
      return line.skip(") with ");
    }
    if (line.skip("wastage block (@")) {
      long waste = line.readAddress();
      history.leftOver(thread, waste, readWordSize());
    } else if (!line.skip("no wastage")) {
      return false;
    }
    history.served(thread, arena, block);
    return true;
  }

  private boolean acceptDies(long thread, long arena) {
    if (line.skip("dies.")) {
      history.arenaDied(arena);
      return true;
    }
    if (line.skip("deallocating ")) {
      // JDK 17; JDK 25 says "added to fbl".
      history.deallocated(thread, arena, line.readAddress());
      return true;
    }
    return false;
  }

  private boolean acceptAllocate(long thread) {
    if (line.skipPast(" return ")) {
      history.allocated(thread, line.readAddress());
    }
    return true;
  }

  private boolean acceptLoaderOrChunkManager() {
    if (line.skip("CLMS @")) {
      line.readAddress();
      if (line.skip(" : born (nonclass arena: ")) {
        long nonClassArena = line.readAddress();
        // Without compressed class pointers a loader has one arena only.
        history.loaderBorn(nonClassArena, line.skip(", class arena: ") ? line.readAddress() : 0);
      }
      return true;
    }
    if (line.skip("ChkMgr @")) {
      line.readAddress();
      if (line.skipPast("): : reclaiming memory")) {
        history.purge();
      }
    }
    return true;
  }

  private boolean acceptNode(long thread) {
    if (line.skip("VsListNode @")) {
      long node = line.readAddress();
      line.skip(" base ");
      line.readAddress();
      line.skip(" : ");
      if (line.skip("born ")) {
        history.nodeBorn(thread, node);
      } else if (line.skip("... committed ")) {
        history.committed(node, line.readDecimal());
      } else if (line.skip("... uncommitted ")) {
        history.committed(node, -line.readDecimal());
      } else if (line.skip("dies") || line.skip(": dies")) {
        history.nodeDied(node);
      }
      return true;
    }
    if (line.skip("VsList @")) {
      line.readAddress();
      if (line.skip(" (non-class-space): added new node")) {
        history.nodeIsNonClass(thread);
      }
    }
    return true;
  }

  private long readWordSize() {
    return line.skip(" word size ") ? line.readDecimal() : -1;
  }
}
