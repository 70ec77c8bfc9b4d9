package dev.arenal.soak;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.EnumMap;
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

  private final EnumMap<Kind, LongAdder> counts = new EnumMap<>(Kind.class);

  Tally() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  void count(Kind kind) {
    requireNonNull(counts.get(kind)).increment();
  }

  long of(Kind kind) {
    return requireNonNull(counts.get(kind)).sum();
  }

  /** For example {@code rounds=3, operations=100}. */
  String text() {
    return Arrays.stream(Kind.values())
        .map(kind -> kind.name().toLowerCase(Locale.ROOT) + "=" + of(kind))
        .collect(Collectors.joining(", "));
  }
}
