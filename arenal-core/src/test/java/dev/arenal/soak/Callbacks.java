package dev.arenal.soak;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.soak.SpaceOwner.Block;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Callbacks of one thread, which call the library back, throw, and wait for others. */
final class Callbacks {
  private static final int MOST_DEPTH = 2;

  private final SoakRound round;
  private final SoakWorker worker;
  private final SplittableRandom random;
  private final List<Thread> helpers = new ArrayList<>();
  private int depth;

  Callbacks(SoakRound round, SoakWorker worker) {
    this.round = round;
    this.worker = worker;
    this.random = worker.random;
  }

  /** Adds cleanup actions to an arena, which look for the blocks and call back. */
  @SuppressWarnings("restricted") // for cleanup actions
  void onClose(Owner owner, Arena arena, List<Block> blocks) {
    List<Block> watched = blocks.subList(0, Math.min(3, blocks.size()));
    long[] addresses = watched.stream().mapToLong(block -> block.segment().address()).toArray();
    long[] sizes = watched.stream().mapToLong(block -> block.segment().byteSize()).toArray();
    long[] marks = watched.stream().mapToLong(Block::mark).toArray();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      var _ =
          MemorySegment.NULL.reinterpret(
              8,
              arena,
              _ ->
                  round.note(() -> {
                    for (int j = 0; j < addresses.length; j++) {
                      SoakWorker.check(
                          SoakWorker.isRawIntact(addresses[j], sizes[j], marks[j]),
                          "memory of a closing arena has another owner");
                    }
                    actInClose(owner, arena);
                  }));
    }
  }

  private void actInClose(Owner owner, Arena arena) {
    Caller.disarmForCallback();
    if (worker.caller.isDeep()) {
      return;
    }
    switch (random.nextInt(6)) {
      case 0 -> refused(() -> arena.allocate(64));
      case 1 -> refused(arena::close);
      case 2 ->
          helpers.add(Thread.ofVirtual().start(() -> round.note(() -> refused(arena::close))));
      case 3 -> {
        if (owner instanceof SpaceOwner && !owner.isDamaged()) {
          refused(owner::close); // pages with no buffer but those of this arena might be closed
        }
      }
      default -> act();
    }
  }

  private static void refused(Runnable misuse) {
    try {
      misuse.run();
    } catch (IllegalStateException | WrongThreadException _) {
      return;
    }
    throw new AssertionError("not refused in a cleanup action");
  }

  /** Waits for those that were started to close what was closing. */
  void joinHelpers() {
    if (depth == 0) {
      helpers.forEach(SoakRound::join);
      helpers.clear();
    }
  }

  /** Anything that a program may do in a callback. */
  void act() {
    Caller.disarmForCallback();
    if (worker != SoakWorker.current() || worker.caller.isDeep() || depth == MOST_DEPTH) {
      return;
    }
    round.tally.count(Tally.Kind.CALLBACKS);
    depth++;
    try {
      switch (random.nextInt(9)) {
        case 0 -> worker.confined(round.space(random));
        case 1 -> worker.allocateBuffer(round.pages(random));
        case 2 -> worker.freeBuffer(round.pages(random));
        case 3 -> worker.pooled(2);
        case 4 -> worker.upkeep();
        case 5 -> worker.closeShared(round.space(random));
        case 6 -> worker.pageArena(round.pages(random));
        case 7 -> round.underProgramLock(() -> worker.freeBuffer(round.pages(random)));
        default -> {
          if (random.nextInt(8) == 0) {
            throw new Caller.ThrownByCallback();
          }
        }
      }
    } finally {
      depth--;
    }
  }

  boolean cancels() {
    act();
    return random.nextInt(10) == 0;
  }

  /** A reclaimer of the program's, called by the thread whose commit was refused. */
  static long reclaim(SoakRound round) {
    SoakWorker worker = SoakWorker.current();
    if (worker == null || worker.caller.isDeep()) {
      return 0;
    }
    Caller.disarmForCallback();
    Callbacks own = worker.callbacks();
    ElasticArena asking = (ElasticArena) own.asking();
    if (asking != null && own.depth < MOST_DEPTH && own.random.nextInt(8) == 0) {
      own.depth++;
      try {
        worker.keep(asking, worker.caller.call(null, asking, () -> asking.allocate(48, 8)));
      } finally {
        own.depth--;
      }
    } else if (own.random.nextInt(2) == 0) {
      own.act();
    }
    return 0;
  }

  private @Nullable Object asking() {
    return worker.asking;
  }
}
