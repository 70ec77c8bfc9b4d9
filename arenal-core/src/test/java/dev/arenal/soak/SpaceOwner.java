package dev.arenal.soak;

import dev.arenal.elastic.ArenaGrowth;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.ElasticSpaceBuilder;
import dev.arenal.elastic.ReclaimPolicy;
import dev.arenal.elastic.SpaceAccess;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A space with shared arenas that all threads use. */
final class SpaceOwner extends Owner {
  private static final List<ArenaGrowth> GROWTHS = List.of(ArenaGrowth.values());

  final ElasticSpace space;
  private final CopyOnWriteArrayList<Shared> shared = new CopyOnWriteArrayList<>();

  /** A piece of memory and what was written into it. */
  record Block(MemorySegment segment, long mark) {
    void check() {
      long at = Stamp.mismatch(segment, mark);
      if (at >= 0) {
        throw new AssertionError("foreign write: at=" + at + ", " + segment);
      }
    }

    /** For an arena that other threads reset: blocks of an ended round have no owner. */
    void checkIfAlive() {
      try {
        check();
      } catch (IllegalStateException e) {
        if (segment.scope().isAlive()) {
          throw e;
        }
        var _ = Thread.interrupted(); // as the JVM does where it stops an access
      }
    }
  }

  /** An arena that all threads use until one of them closes it. */
  static final class Shared {
    final ElasticArena arena;
    final ConcurrentLinkedDeque<Block> blocks = new ConcurrentLinkedDeque<>();
    final AtomicBoolean isTaken = new AtomicBoolean();

    Shared(ElasticArena arena) {
      this.arena = arena;
    }
  }

  SpaceOwner(String name, Budget budget, FlakyKernel kernel, SplittableRandom random) {
    CommitMode mode = random.nextInt(3) == 0 ? CommitMode.PROTECT : CommitMode.DISCARD;
    ElasticSpaceBuilder builder =
        SpaceAccess.on(ElasticSpace.builder(name), kernel.system())
            .budget(budget)
            .commitMode(mode)
            .granuleBytes(mode == CommitMode.PROTECT ? 64 << 10 : 4096L << random.nextInt(3))
            .reclaimPolicy(
                random.nextInt(3) == 0 ? ReclaimPolicy.AGGRESSIVE : ReclaimPolicy.BALANCED)
            .uncommitDelay(random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(300));
    this.space = builder.build();
  }

  static ArenaGrowth growth(SplittableRandom random) {
    return GROWTHS.get(random.nextInt(GROWTHS.size()));
  }

  int sharedCount() {
    return shared.size();
  }

  void add(Shared opened) {
    shared.add(opened);
  }

  /** Any of them, which others use too. */
  @Nullable Shared any(SplittableRandom random) {
    Object[] all = shared.toArray();
    return all.length == 0 ? null : (Shared) all[random.nextInt(all.length)];
  }

  /** Any of them, which only the caller closes. */
  @Nullable Shared take(SplittableRandom random) {
    Shared any = any(random);
    if (any == null || !any.isTaken.compareAndSet(false, true)) {
      return null;
    }
    shared.remove(any);
    return any;
  }

  @Override
  String name() {
    return space.name();
  }

  @Override
  String describe() {
    return name() + ": " + space.report().toString();
  }

  @Override
  long committedBytes() {
    return space.committedBytes();
  }

  @Override
  void verify() {
    SpaceAccess.verify(space);
  }

  @Override
  void closeContents() {
    for (Shared one : shared) {
      one.blocks.forEach(Block::checkIfAlive);
      if (one.arena.scope().isAlive()) { // not after a reset that has damaged the space
        one.arena.close();
      }
    }
    shared.clear();
  }

  @Override
  void trim() {
    var _ = space.trim();
  }

  @Override
  void close() {
    space.close();
  }
}
