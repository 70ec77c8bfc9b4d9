package dev.arenal.bench;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A shared arena that is replaced while threads use it: after a number of batches the next batch
 * opens another one, and the last batch of the old one closes that. Two atomic operations a batch.
 */
final class SharedArenas {
  private static final int BATCHES = 200;

  private final Supplier<? extends Arena> opener;
  private volatile Turn current;

  SharedArenas(Supplier<? extends Arena> opener) {
    this.opener = opener;
    this.current = new Turn(opener.get());
  }

  /** The arena to use for one batch. */
  Turn enter() {
    while (true) {
      Turn turn = current;
      int number = turn.entered.getAndIncrement();
      if (number < BATCHES) {
        return turn;
      }
      if (number == BATCHES) {
        current = new Turn(opener.get());
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Closes the arena in use, when no batch is. */
  void close() {
    if (current.arena.scope().isAlive()) {
      current.arena.close();
    }
  }

  /** One arena and how many batches have begun and ended with it. */
  static final class Turn {
    final Arena arena;
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger left = new AtomicInteger();

    Turn(Arena arena) {
      this.arena = arena;
    }

    /** Ends a batch; the last one closes the arena. */
    void leave() {
      if (left.incrementAndGet() == BATCHES) {
        arena.close();
      }
    }
  }
}
