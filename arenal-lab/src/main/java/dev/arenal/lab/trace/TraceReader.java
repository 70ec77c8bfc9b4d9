package dev.arenal.lab.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** One pass over a trace: decodes, checks and delivers its events. */
final class TraceReader {
  private final String name;
  private final TraceVisitor visitor;
  private final TracePlace place;
  private final BlockReader blocks;
  private final ByteSource source;
  private final TraceRules rules;
  private final RecentArenas recent = new RecentArenas();
  private final long[] committedUnits = new long[TraceSpace.values().length];
  private int lastDeadArena;

  private TraceReader(
      String name, InputStream in, TraceVisitor visitor, @Nullable FreedBlocks watched) {
    this.name = name;
    this.visitor = visitor;
    this.place = new TracePlace(name);
    this.blocks = new BlockReader(in, place);
    this.source = blocks.source();
    this.rules = new TraceRules(watched);
  }

  /** The result of one pass over a whole trace. */
  record Pass(TraceInfo info, BitSet deallocatedBlocks) {}

  /**
   * Reads a trace from its beginning to its end.
   *
   * @param name the name of the trace in messages and in the result
   * @param in the trace, closed by this call
   * @param visitor receives the events
   * @param watched the deallocated blocks that an earlier pass found, if there was one
   */
  static Pass read(String name, InputStream in, TraceVisitor visitor, @Nullable FreedBlocks watched)
      throws IOException {
    TraceReader reader = new TraceReader(name, in, visitor, watched);
    try (reader.blocks) {
      return new Pass(reader.readAll(), reader.rules.deallocatedBlocks());
    }
  }

  private TraceInfo readAll() throws IOException {
    blocks.readPreamble();
    blocks.next();
    expectType(TraceLayout.BLOCK_HEADER);
    String jvmVersion = source.readText("jvmVersion", TraceLayout.MAX_LABEL_BYTES);
    if (jvmVersion.chars().anyMatch(Character::isISOControl)) { // a terminal shows it
      throw place.problem("text has a control character: name=jvmVersion");
    }
    expectEndOfBlock();
    blocks.next();
    while (blocks.type() == TraceLayout.BLOCK_EVENTS) {
      readEvents();
      blocks.next();
    }
    expectType(TraceLayout.BLOCK_END);
    TraceOutcome outcome = readEnd();
    expectEndOfBlock();
    blocks.expectEndOfFile();
    return rules.info(name, jvmVersion, outcome);
  }

  private void readEvents() throws TraceFormatException {
    long firstEvent = rules.eventCount();
    while (source.hasRemaining()) {
      place.enterEvent(rules.eventCount());
      int op = source.readByte();
      if (op < TraceLayout.OP_FIRST) {
        int sizeCode = op & TraceLayout.SIZE_FOLLOWS;
        int sizeWords =
            sizeCode < TraceLayout.SIZE_FOLLOWS
                ? sizeCode + 1
                : source.toCount("sizeWords", source.readVarint() + TraceLayout.SIZE_FOLLOWS + 1);
        allocate(recent.get(op >>> 6), sizeWords);
      } else {
        readOther(op);
      }
    }
    long eventCount = rules.eventCount() - firstEvent;
    if (eventCount != blocks.eventCount()) {
      throw place.problem(
          "block holds another number of events: eventCount=" + eventCount,
          "expected " + blocks.eventCount());
    }
  }

  private void readOther(int op) throws TraceFormatException {
    switch (op) {
      case TraceLayout.OP_ALLOCATE_ELSEWHERE ->
          allocate(readArena(), source.readCount("sizeWords"));
      case TraceLayout.OP_BIRTH_NON_CLASS -> readBirth(TraceSpace.NON_CLASS);
      case TraceLayout.OP_BIRTH_CLASS -> readBirth(TraceSpace.CLASS);
      case TraceLayout.OP_DEALLOCATE -> readDeallocation();
      case TraceLayout.OP_DEATH -> readDeath();
      case TraceLayout.OP_COMMITTED_NON_CLASS -> readCommitted(TraceSpace.NON_CLASS);
      case TraceLayout.OP_COMMITTED_CLASS -> readCommitted(TraceSpace.CLASS);
      case TraceLayout.OP_MARK -> {
        String label = source.readText("label", TraceLayout.MAX_LABEL_BYTES);
        rules.mark();
        visitor.mark(label);
      }
      default ->
          throw place.problem("unknown event: op=" + op, "expected 0.." + TraceLayout.OP_MARK);
    }
  }

  private void allocate(int arena, int sizeWords) throws TraceFormatException {
    int block = rules.allocationCount();
    check(rules.allocate(arena, sizeWords, block));
    recent.use(arena);
    visitor.allocate(arena, sizeWords, block);
  }

  private void readBirth(TraceSpace space) throws TraceFormatException {
    int loader = rules.loaderCount() - source.readCount("loaderBack");
    int arena = rules.arenaCount();
    check(rules.birth(arena, space, loader));
    visitor.birth(arena, space, loader);
  }

  private void readDeallocation() throws TraceFormatException {
    int arena = readArena();
    int block = rules.allocationCount() - 1 - source.readCount("blocksBack");
    check(rules.deallocate(arena, block));
    visitor.deallocate(arena, block);
  }

  private void readDeath() throws TraceFormatException {
    int arena = source.toCount("arena", lastDeadArena + source.readSignedVarint());
    check(rules.death(arena));
    lastDeadArena = arena;
    visitor.death(arena);
  }

  private void readCommitted(TraceSpace space) throws TraceFormatException {
    long units = committedUnits[space.index()] + source.readSignedVarint();
    if (units < 0 || units > Long.MAX_VALUE / TraceLayout.COMMIT_UNIT_BYTES) {
      throw place.problem("committed figure out of range: space=" + space + ", kilobytes=" + units);
    }
    committedUnits[space.index()] = units;
    long committedBytes = units * TraceLayout.COMMIT_UNIT_BYTES;
    check(rules.committed(space, committedBytes));
    visitor.hotspotCommitted(space, committedBytes);
  }

  private int readArena() throws TraceFormatException {
    return source.toCount("arena", recent.get(0) + source.readSignedVarint());
  }

  private TraceOutcome readEnd() throws TraceFormatException {
    place.enterEvent(rules.eventCount());
    long[] expected = rules.totals();
    for (int i = 0; i < expected.length; i++) {
      long total = source.readVarint();
      if (total != expected[i]) {
        throw place.problem(
            "end record does not agree with the events: field=" + i + ", value=" + total,
            "expected " + expected[i]);
      }
    }
    long programExit = source.readSignedVarint();
    long anomalyCount = source.readVarint();
    if (programExit != (int) programExit || anomalyCount < 0) {
      throw place.problem(
          "end record is impossible: programExit=" + programExit + ", anomalyCount=" + anomalyCount,
          "expected an exit code, and a count of at least 0");
    }
    int granuleBytes = source.readCount("commitGranuleBytes");
    return new TraceOutcome((int) programExit, anomalyCount, granuleBytes);
  }

  private void expectType(int type) throws TraceFormatException {
    if (blocks.type() != type || blocks.eventCount() != 0) {
      throw place.problem(
          "unexpected block: type=" + blocks.type() + ", eventCount=" + blocks.eventCount(),
          "expected type=" + type + (type == TraceLayout.BLOCK_END ? " or an event block" : ""));
    }
  }

  private void expectEndOfBlock() throws TraceFormatException {
    if (source.hasRemaining()) {
      throw place.problem("record is longer than its fields");
    }
  }

  private void check(@Nullable String problem) throws TraceFormatException {
    if (problem != null) {
      throw place.problem(problem);
    }
  }
}
