package dev.arenal.soak;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** How often something has happened, by kind; any thread. */
final class Tally {
  enum Kind {
    ROUNDS,
    OPERATIONS,
    REFUSALS,
    STACK_ENDS,
    HEAP_ENDS,
    CALLBACKS,
    KERNEL_REFUSALS,
    DAMAGES,
    CHECKS,
    WARNINGS
  }

  private final LongAdder[] counts = new LongAdder[Kind.values().length];

  Tally() {
    Arrays.setAll(counts, _ -> new LongAdder());
  }

  void count(Kind kind) {
    counts[kind.ordinal()].increment();
  }

  long of(Kind kind) {
    return counts[kind.ordinal()].sum();
  }

  /** For example {@code rounds=3, operations=100}. */
  String text() {
    return Arrays.stream(Kind.values())
        .map(kind -> kind.name().toLowerCase(Locale.ROOT) + "=" + of(kind))
        .collect(Collectors.joining(", "));
  }
}
