package dev.arenal.confined;

import dev.arenal.conformance.Contents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps on one thread and compares with a naive oracle: blocks do not overlap those of any
 * arena of any thread, are aligned, zero when handed out and keep what was written; segments are
 * dead after close; and what an arena of the JDK throws in the same place, ours throws too.
 */
@SuppressWarnings({"restricted", "ThreadPriorityCheck"}) // cleanup actions, Thread.yield
final class PooledProgram {
  private static final int MOST_DEAD = 8;

  private final List<PooledOp> ops;
  private final Supplier<Arena> opener;
  private final LiveBlocks live;
  private final List<Opened> open = new ArrayList<>();
  private final ArrayDeque<Opened> dead = new ArrayDeque<>();
  private int tagCount;
  private int step;

  /** A block and what was written to it. */
  private static final class Block {
    final MemorySegment segment;
    byte tag;

    Block(MemorySegment segment) {
      this.segment = segment;
    }
  }

  /** An arena of ours, and one of the JDK that goes the same way. */
  private record Opened(Arena arena, Arena jdk, List<Block> blocks) {}

  /** Something that an arena may refuse. */
  @FunctionalInterface
  private interface Action {
    void run(Arena arena) throws Exception;
  }

  PooledProgram(List<PooledOp> ops, Supplier<Arena> opener, LiveBlocks live) {
    this.ops = ops;
    this.opener = opener;
    this.live = live;
  }

  /**
   * Runs all steps on the current thread, and closes what is open at their end.
   *
   * @throws AssertionError if the arenas and the oracle disagree
   */
  void run() {
    try {
      for (; step < ops.size(); step++) {
        run(ops.get(step));
      }
      while (!open.isEmpty()) {
        close(open.size() / 2, false);
      }
    } catch (Throwable e) {
      abandon();
      String op = step < ops.size() ? ops.get(step).text() : "the end";
      throw new AssertionError("step " + step + " (" + op + "): " + e.getMessage(), e);
    }
  }

  private void abandon() {
    for (Opened opened : open) {
      opened.blocks().forEach(block -> live.remove(block.segment.address()));
      var _ = thrownBy(opened.arena(), Arena::close);
      var _ = thrownBy(opened.jdk(), Arena::close);
    }
  }

  private void run(PooledOp op) throws Exception {
    if (op.kind() == PooledOp.Kind.OPEN) {
      open.add(new Opened(opener.get(), Arena.ofConfined(), new ArrayList<>()));
    } else if (op.kind() == PooledOp.Kind.USE_DEAD) {
      useDead(op);
    } else if (op.kind() == PooledOp.Kind.YIELD) {
      Thread.yield();
    } else if (!open.isEmpty()) {
      int index = op.target() % open.size();
      Opened opened = open.get(index);
      switch (op.kind()) {
        case ALLOCATE -> allocate(opened, op.first(), op.second());
        case ALLOCATE_BAD -> sameRefusal(opened, arena -> arena.allocate(op.first(), op.second()));
        case WRITE -> write(opened, op.first());
        case CLOSE -> close(index, false);
        case CLOSE_THROWING -> close(index, true);
        case ELSEWHERE -> elsewhere(opened, op.first());
        default -> throw new IllegalStateException(op.text());
      }
    }
  }

  private void allocate(Opened opened, long sizeBytes, long alignmentBytes) {
    MemorySegment segment = opened.arena().allocate(sizeBytes, alignmentBytes);
    live.add(segment.address(), sizeBytes);
    Block block = new Block(segment);
    opened.blocks().add(block);
    check(segment.byteSize() == sizeBytes, "size");
    check(segment.address() % Math.max(alignmentBytes, 16) == 0, "misalignment");
    check(segment.scope().equals(opened.arena().scope()), "scope of another arena");
    check(Contents.mismatch(segment, (byte) 0) < 0, "not zero");
    write(block);
  }

  private void write(Opened opened, long number) {
    if (!opened.blocks().isEmpty()) {
      Block block = opened.blocks().get((int) (number % opened.blocks().size()));
      checkContents(block);
      write(block);
    }
  }

  private void write(Block block) {
    block.tag = (byte) (++tagCount | 1);
    Contents.write(block.segment, block.tag);
  }

  private static void checkContents(Block block) {
    check(Contents.mismatch(block.segment, block.tag) < 0, "contents changed");
  }

  private void close(int index, boolean isThrowing) {
    Opened opened = open.get(index);
    opened.blocks().forEach(PooledProgram::checkContents);
    if (isThrowing) {
      failAtClose(opened.arena());
      failAtClose(opened.jdk());
    }
    open.remove(index);
    opened.blocks().forEach(block -> live.remove(block.segment.address()));
    Throwable thrown = thrownBy(opened.arena(), Arena::close);
    checkSame(thrown, thrownBy(opened.jdk(), Arena::close));
    check(!opened.arena().scope().isAlive(), "alive after close");
    checkDead(opened);
    dead.add(opened);
    if (dead.size() > MOST_DEAD) {
      dead.remove();
    }
  }

  private static void failAtClose(Arena arena) {
    var _ =
        MemorySegment.NULL.reinterpret(
            1,
            arena,
            _ -> {
              throw new IllegalCallerException("by a cleanup action");
            });
  }

  private static void checkDead(Opened opened) {
    for (Block block : opened.blocks()) {
      check(!block.segment.scope().isAlive(), "segment alive after close");
      if (block.segment.byteSize() > 0) {
        Throwable thrown =
            thrownBy(opened.arena(), _ -> block.segment.get(ValueLayout.JAVA_BYTE, 0));
        check(thrown instanceof IllegalStateException, "read after close: " + thrown);
      }
    }
  }

  private void useDead(PooledOp op) {
    if (dead.isEmpty()) {
      return;
    }
    Opened opened = Objects.requireNonNull(dead.peekLast());
    sameRefusal(opened, Arena::close);
    sameRefusal(opened, arena -> arena.allocate(op.first(), 8));
    sameRefusal(opened, arena -> arena.allocate(-1, 8));
    dead.forEach(PooledProgram::checkDead);
  }

  private static void elsewhere(Opened opened, long sizeBytes) throws InterruptedException {
    List<Throwable> wrong = new ArrayList<>();
    Bodies.Running other =
        Bodies.start(() -> {
          try {
            sameRefusal(opened, Arena::close);
            sameRefusal(opened, arena -> arena.allocate(sizeBytes, 8));
          } catch (AssertionError e) {
            wrong.add(e);
          }
        });
    other.join();
    check(wrong.isEmpty(), "another thread: " + wrong);
    opened.blocks().forEach(PooledProgram::checkContents);
  }

  /** Both arenas refuse, in the same words. */
  private static void sameRefusal(Opened opened, Action action) {
    Throwable thrown = thrownBy(opened.arena(), action);
    check(thrown != null, "not refused");
    checkSame(thrown, thrownBy(opened.jdk(), action));
  }

  private static void checkSame(@Nullable Throwable ours, @Nullable Throwable jdks) {
    check(text(ours).equals(text(jdks)), "other exception: " + text(ours) + ", JDK: " + text(jdks));
  }

  /** The number of bytes that there are not is another one where red zones belong to it. */
  private static String text(@Nullable Throwable thrown) {
    return thrown instanceof OutOfMemoryError ? "OutOfMemoryError" : String.valueOf(thrown);
  }

  private static @Nullable Throwable thrownBy(Arena arena, Action action) {
    try {
      action.run(arena);
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static void check(boolean isRight, String what) {
    if (!isRight) {
      throw new AssertionError(what);
    }
  }
}
