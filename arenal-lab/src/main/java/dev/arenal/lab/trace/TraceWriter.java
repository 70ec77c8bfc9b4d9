package dev.arenal.lab.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A visitor that writes what it is told as a trace, in constant memory.
 *
 * <p>The trace is valid only after {@link #finish}: closed without it, the file lacks its end
 * record and readers refuse it as truncated. A wrong event (an arena that is not alive, an id that
 * is not dense) is refused with an {@link IllegalArgumentException} and leaves the trace as it was;
 * a failing disk shows as {@link UncheckedIOException}.
 *
 * <p>Not thread-safe.
 */
public final class TraceWriter implements TraceVisitor, Closeable {
  /** Longest event without a label: an op, an arena and a size or a 64-bit figure. */
  private static final int MAX_EVENT_BYTES = 32;

  private final BlockWriter blocks;
  private final String jvmVersion;
  private final TraceRules rules = new TraceRules();
  private final RecentArenas recent = new RecentArenas();
  private final ByteSink sink = new ByteSink(TraceLayout.MAX_RAW_BYTES);
  private final long[] committedUnits = new long[TraceSpace.values().length];
  private int lastDeadArena;
  private int blockEventCount;

  /**
   * Starts a trace.
   *
   * @param out where the bytes go; closed with this writer
   * @param jvmVersion the version of the recorded JVM
   * @throws IOException if the bytes cannot be written
   */
  public TraceWriter(OutputStream out, String jvmVersion) throws IOException {
    this.blocks = new BlockWriter(out);
    this.jvmVersion = jvmVersion;
    sink.putText(jvmVersion);
    writeBlock(TraceLayout.BLOCK_HEADER);
  }

  @Override
  public void birth(int arena, TraceSpace space, int loader) {
    int loaderBack = rules.loaderCount() - loader;
    check(rules.birth(arena, space, loader));
    begin(0);
    sink.putByte(
        space == TraceSpace.CLASS ? TraceLayout.OP_BIRTH_CLASS : TraceLayout.OP_BIRTH_NON_CLASS);
    sink.putVarint(loaderBack);
  }

  @Override
  public void allocate(int arena, int sizeWords, int block) {
    check(rules.allocate(arena, sizeWords, block));
    begin(0);
    int place = recent.placeOf(arena);
    if (place < 0) {
      sink.putByte(TraceLayout.OP_ALLOCATE_ELSEWHERE);
      putArena(arena);
      sink.putVarint(sizeWords);
    } else if (sizeWords <= TraceLayout.SIZE_FOLLOWS) {
      sink.putByte(place << 6 | (sizeWords - 1));
    } else {
      sink.putByte(place << 6 | TraceLayout.SIZE_FOLLOWS);
      sink.putVarint(sizeWords - TraceLayout.SIZE_FOLLOWS - 1);
    }
    recent.use(arena);
  }

  @Override
  public void deallocate(int arena, int block) {
    check(rules.deallocate(arena, block));
    begin(0);
    sink.putByte(TraceLayout.OP_DEALLOCATE);
    putArena(arena);
    sink.putVarint(rules.allocationCount() - 1 - block);
  }

  @Override
  public void death(int arena) {
    check(rules.death(arena));
    begin(0);
    sink.putByte(TraceLayout.OP_DEATH);
    sink.putSignedVarint(arena - lastDeadArena);
    lastDeadArena = arena;
  }

  @Override
  public void hotspotCommitted(TraceSpace space, long committedBytes) {
    check(rules.committed(space, committedBytes));
    begin(0);
    long units = committedBytes / TraceLayout.COMMIT_UNIT_BYTES;
    sink.putByte(
        space == TraceSpace.CLASS
            ? TraceLayout.OP_COMMITTED_CLASS
            : TraceLayout.OP_COMMITTED_NON_CLASS);
    sink.putSignedVarint(units - committedUnits[space.index()]);
    committedUnits[space.index()] = units;
  }

  @Override
  public void mark(String label) {
    int labelBytes = label.getBytes(StandardCharsets.UTF_8).length;
    check(
        labelBytes > TraceLayout.MAX_LABEL_BYTES
            ? "label is too long: labelBytes=%s (expected at most %s)"
                .formatted(labelBytes, TraceLayout.MAX_LABEL_BYTES)
            : null);
    rules.mark();
    begin(labelBytes);
    sink.putByte(TraceLayout.OP_MARK);
    sink.putText(label);
  }

  /**
   * Completes the trace with its end record and flushes it.
   *
   * @param outcome what is known now that the program has ended
   * @return the facts of the whole trace; without a name, which only a file has
   * @throws IOException if the bytes cannot be written
   */
  public TraceInfo finish(TraceOutcome outcome) throws IOException {
    if (blockEventCount > 0) {
      writeBlock(TraceLayout.BLOCK_EVENTS);
    }
    for (long total : rules.totals()) {
      sink.putVarint(total);
    }
    sink.putSignedVarint(outcome.programExit());
    sink.putVarint(outcome.anomalyCount());
    sink.putVarint(outcome.commitGranuleBytes());
    writeBlock(TraceLayout.BLOCK_END);
    blocks.flush();
    return rules.info("", jvmVersion, outcome);
  }

  /** Closes the file; a trace that was not finished stays incomplete. */
  @Override
  public void close() throws IOException {
    blocks.close();
  }

  private void putArena(int arena) {
    sink.putSignedVarint(arena - recent.get(0));
  }

  /** Makes room for an event, so that no event is split between blocks. */
  private void begin(int extraBytes) {
    if (sink.remaining() < MAX_EVENT_BYTES + extraBytes) {
      try {
        writeBlock(TraceLayout.BLOCK_EVENTS);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    blockEventCount++;
  }

  private void writeBlock(int type) throws IOException {
    int eventCount = type == TraceLayout.BLOCK_EVENTS ? blockEventCount : 0;
    blocks.write(type, eventCount, sink.bytes(), sink.size());
    sink.clear();
    blockEventCount = 0;
  }

  private static void check(@Nullable String problem) {
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
  }
}
