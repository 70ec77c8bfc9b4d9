package dev.arenal.elastic;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a failing program smaller as long as it fails: fewer steps, then smaller numbers, then a
 * plainer space.
 */
final class ProgramShrinker {
  private final Predicate<Program> fails;
  private final Instant deadline;

  ProgramShrinker(Predicate<Program> fails, Duration patience) {
    this.fails = fails;
    this.deadline = Instant.now().plus(patience);
  }

  Program shrink(Program failing) {
    Program smallest = failing;
    Program before;
    do {
      before = smallest;
      smallest = withFewerOps(smallest);
      smallest = withSmallerNumbers(smallest);
      smallest = withPlainerConfig(smallest);
    } while (!smallest.equals(before) && hasTime());
    return smallest;
  }

  private Program withFewerOps(Program program) {
    Program smallest = program;
    for (int length = Math.max(1, program.ops().size() / 2); length > 0; length /= 2) {
      int from = smallest.ops().size() - length;
      while (from >= 0 && hasTime()) {
        List<Op> ops = new ArrayList<>(smallest.ops().subList(0, from));
        ops.addAll(smallest.ops().subList(from + length, smallest.ops().size()));
        Program candidate = smallest.withOps(ops);
        if (fails.test(candidate)) {
          smallest = candidate;
        }
        from = Math.min(from - length, smallest.ops().size() - length);
      }
    }
    return smallest;
  }

  private Program withSmallerNumbers(Program program) {
    Program smallest = program;
    for (int i = 0; i < program.ops().size() && hasTime(); i++) {
      Op op = smallest.ops().get(i);
      smallest = tryOp(smallest, i, new Op(op.kind(), 0, op.first(), op.second()));
      for (long first = 0; first < op.first() && hasTime(); first = 2 * first + 1) {
        op = smallest.ops().get(i);
        smallest = tryOp(smallest, i, new Op(op.kind(), op.target(), first, op.second()));
      }
      op = smallest.ops().get(i);
      long plain = op.kind() == Op.Kind.ALLOCATE ? 8 : 0;
      smallest = tryOp(smallest, i, new Op(op.kind(), op.target(), op.first(), plain));
    }
    return smallest;
  }

  private Program tryOp(Program program, int index, Op op) {
    if (op.equals(program.ops().get(index))) {
      return program;
    }
    List<Op> ops = new ArrayList<>(program.ops());
    ops.set(index, op);
    Program candidate = program.withOps(ops);
    return fails.test(candidate) ? candidate : program;
  }

  private Program withPlainerConfig(Program program) {
    ProgramConfig now = program.config();
    ProgramConfig usual = ProgramConfig.USUAL;
    List<ProgramConfig> plainer =
        List.of(
            usual,
            new ProgramConfig(
                now.granuleBytes(), now.mode(), now.fixedSizeBytes(), now.policy(), -1, -1, 1),
            new ProgramConfig(
                now.granuleBytes(),
                now.mode(),
                now.fixedSizeBytes(),
                now.policy(),
                now.reserveBytes(),
                now.budgetBytes(),
                1));
    for (ProgramConfig config : plainer) {
      Program candidate = new Program(config, program.ops());
      if (!config.equals(now) && hasTime() && fails.test(candidate)) {
        return candidate;
      }
    }
    return program;
  }

  private boolean hasTime() {
    return Instant.now().isBefore(deadline);
  }
}
