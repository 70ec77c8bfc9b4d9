package dev.arenal.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing program of buffers smaller as long as it fails: plainer surroundings, fewer
 * steps, plainer numbers.
 */
final class BufferShrinker {
  private final Predicate<BufferProgram> fails;
  private final Instant deadline;

  BufferShrinker(Predicate<BufferProgram> fails, Duration patience) {
    this.fails = fails;
    this.deadline = Instant.now().plus(patience);
  }

  BufferProgram shrink(BufferProgram failing) {
    BufferProgram smallest = failing;
    BufferProgram before;
    do {
      before = smallest;
      smallest = plainer(smallest);
      smallest = withFewerOps(smallest);
      smallest = withPlainerNumbers(smallest);
    } while (!smallest.equals(before) && hasTime());
    return smallest;
  }

  private BufferProgram plainer(BufferProgram program) {
    for (BufferProgram candidate : program.plainer()) {
      if (hasTime() && fails.test(candidate)) {
        return candidate;
      }
    }
    return program;
  }

  private BufferProgram withFewerOps(BufferProgram program) {
    BufferProgram smallest = program;
    for (int length = Math.max(1, program.ops().size() / 2); length > 0; length /= 2) {
      int from = smallest.ops().size() - length;
      while (from >= 0 && hasTime()) {
        List<BufferOp> ops = new ArrayList<>(smallest.ops().subList(0, from));
        ops.addAll(smallest.ops().subList(from + length, smallest.ops().size()));
        BufferProgram candidate = smallest.withOps(ops);
        if (fails.test(candidate)) {
          smallest = candidate;
        }
        from = Math.min(from - length, smallest.ops().size() - length);
      }
    }
    return smallest;
  }

  private BufferProgram withPlainerNumbers(BufferProgram program) {
    BufferProgram smallest = program;
    for (int i = 0; i < program.ops().size() && hasTime(); i++) {
      BufferOp op = smallest.ops().get(i);
      smallest = tryOp(smallest, i, new BufferOp(op.kind(), 0, op.a(), op.b()));
      op = smallest.ops().get(i);
      smallest = tryOp(smallest, i, new BufferOp(op.kind(), op.threadIndex(), 0, op.b()));
      op = smallest.ops().get(i);
      smallest = tryOp(smallest, i, new BufferOp(op.kind(), op.threadIndex(), op.a(), 0));
    }
    return smallest;
  }

  private BufferProgram tryOp(BufferProgram program, int index, BufferOp plainer) {
    if (plainer.equals(program.ops().get(index))) {
      return program;
    }
    List<BufferOp> ops = new ArrayList<>(program.ops());
    ops.set(index, plainer);
    BufferProgram candidate = program.withOps(ops);
    return fails.test(candidate) ? candidate : program;
  }

  private boolean hasTime() {
    return Instant.now().isBefore(deadline);
  }
}
