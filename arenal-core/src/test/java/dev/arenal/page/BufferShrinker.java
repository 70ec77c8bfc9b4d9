package dev.arenal.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing program of buffers smaller as long as it fails: fewer steps, plainer numbers. */
final class BufferShrinker {
  private final Predicate<List<BufferOp>> fails;
  private final Instant deadline;

  BufferShrinker(Predicate<List<BufferOp>> fails, Duration patience) {
    this.fails = fails;
    this.deadline = Instant.now().plus(patience);
  }

  List<BufferOp> shrink(List<BufferOp> failing) {
    List<BufferOp> smallest = failing;
    List<BufferOp> before;
    do {
      before = smallest;
      smallest = withFewerOps(smallest);
      smallest = withPlainerNumbers(smallest);
    } while (!smallest.equals(before) && hasTime());
    return smallest;
  }

  private List<BufferOp> withFewerOps(List<BufferOp> ops) {
    List<BufferOp> smallest = ops;
    for (int length = Math.max(1, ops.size() / 2); length > 0; length /= 2) {
      int from = smallest.size() - length;
      while (from >= 0 && hasTime()) {
        List<BufferOp> candidate = new ArrayList<>(smallest.subList(0, from));
        candidate.addAll(smallest.subList(from + length, smallest.size()));
        if (fails.test(candidate)) {
          smallest = candidate;
        }
        from = Math.min(from - length, smallest.size() - length);
      }
    }
    return smallest;
  }

  private List<BufferOp> withPlainerNumbers(List<BufferOp> ops) {
    List<BufferOp> smallest = new ArrayList<>(ops);
    for (int i = 0; i < ops.size() && hasTime(); i++) {
      BufferOp op = smallest.get(i);
      tryOp(smallest, i, new BufferOp(op.kind(), 0, op.b()));
      op = smallest.get(i);
      tryOp(smallest, i, new BufferOp(op.kind(), op.a(), 0));
    }
    return smallest;
  }

  private void tryOp(List<BufferOp> ops, int index, BufferOp plainer) {
    BufferOp before = ops.set(index, plainer);
    if (!before.equals(plainer) && !fails.test(List.copyOf(ops))) {
      ops.set(index, before);
    }
  }

  private boolean hasTime() {
    return Instant.now().isBefore(deadline);
  }
}
