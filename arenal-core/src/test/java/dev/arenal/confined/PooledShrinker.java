package dev.arenal.confined;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes failing steps fewer, and then their numbers smaller, as long as they fail. */
final class PooledShrinker {
  private final Predicate<List<PooledOp>> fails;
  private final long deadlineNanos;

  PooledShrinker(Predicate<List<PooledOp>> fails, Duration patience) {
    this.fails = fails;
    this.deadlineNanos = System.nanoTime() + patience.toNanos();
  }

  List<PooledOp> shrink(List<PooledOp> failing) {
    List<PooledOp> smallest = failing;
    List<PooledOp> before;
    do {
      before = smallest;
      smallest = withSmallerNumbers(withFewerOps(smallest));
    } while (!smallest.equals(before) && hasTime());
    return smallest;
  }

  private List<PooledOp> withFewerOps(List<PooledOp> ops) {
    List<PooledOp> smallest = ops;
    for (int length = Math.max(1, ops.size() / 2); length > 0; length /= 2) {
      int from = smallest.size() - length;
      while (from >= 0 && hasTime()) {
        List<PooledOp> candidate = new ArrayList<>(smallest.subList(0, from));
        candidate.addAll(smallest.subList(from + length, smallest.size()));
        if (fails.test(candidate)) {
          smallest = candidate;
        }
        from = Math.min(from - length, smallest.size() - length);
      }
    }
    return smallest;
  }

  private List<PooledOp> withSmallerNumbers(List<PooledOp> ops) {
    List<PooledOp> smallest = ops;
    for (int i = 0; i < smallest.size() && hasTime(); i++) {
      PooledOp op = smallest.get(i);
      smallest = tryOp(smallest, i, new PooledOp(op.kind(), 0, op.first(), op.second()));
      // A refused request stays as it is: smaller, it might be granted, and be gigabytes.
      long largest = op.kind() == PooledOp.Kind.ALLOCATE_BAD ? 0 : op.first();
      for (long first = 0; first < largest && hasTime(); first = 2 * first + 1) {
        PooledOp now = smallest.get(i);
        smallest = tryOp(smallest, i, new PooledOp(now.kind(), now.target(), first, now.second()));
      }
      PooledOp now = smallest.get(i);
      long plain = now.kind() == PooledOp.Kind.ALLOCATE ? 1 : now.second();
      smallest = tryOp(smallest, i, new PooledOp(now.kind(), now.target(), now.first(), plain));
    }
    return smallest;
  }

  private List<PooledOp> tryOp(List<PooledOp> ops, int index, PooledOp op) {
    if (op.equals(ops.get(index))) {
      return ops;
    }
    List<PooledOp> candidate = new ArrayList<>(ops);
    candidate.set(index, op);
    return fails.test(candidate) ? candidate : ops;
  }

  private boolean hasTime() {
    return System.nanoTime() < deadlineNanos;
  }
}
