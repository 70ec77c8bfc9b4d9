package dev.arenal.page;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Arenas from pages that may fail anywhere, on the real kernel. */
final class ArenaFaultPrograms {
  private ArenaFaultPrograms() {}

  /** An arena that is opened, used and closed; and another one that is in use all the time. */
  abstract static class Base extends PageFaultPrograms.Base {
    private static final long[] SIZES = {24, 3000, 0, 5000, 300_000, 100, 2 << 20, 4000, 4000};

    private final List<MemorySegment> kept = new ArrayList<>();
    private @Nullable Arena keeping;
    private @Nullable Arena used;

    abstract Arena open();

    @Override
    public void prepare() {
      super.prepare();
      Arena opened = open();
      keeping = opened;
      for (int i = 0; i < 10; i++) {
        MemorySegment block = opened.allocate(700);
        Noise.write(block, i);
        kept.add(block);
      }
    }

    @Override
    public void operate() {
      Arena opened = open();
      used = opened;
      for (long sizeBytes : SIZES) {
        MemorySegment block = opened.allocate(sizeBytes, 1L << sizeBytes % 7);
        require(Noise.firstNonZero(block) < 0, "memory is not zero");
        Noise.write(block, (int) sizeBytes);
        MemorySegment more = Objects.requireNonNull(keeping).allocate(60);
        require(Noise.firstNonZero(more) < 0, "memory is not zero");
        Noise.write(more, kept.size());
        kept.add(more);
      }
      opened.close();
    }

    /** The memory of arenas is back when they are closed: the sum of the other buffers is exact. */
    @Override
    public void check(@Nullable Throwable thrown) {
      for (int i = 0; i < kept.size(); i++) {
        require(Noise.mismatch(kept.get(i), i) < 0, "stamp is lost");
      }
      if (used != null && used.scope().isAlive()) {
        used.close();
      }
      Objects.requireNonNull(keeping).close();
      super.check(thrown);
    }
  }

  /** Of one thread. */
  public static final class Confined extends Base {
    /** For the sweep. */
    public Confined() {}

    @Override
    Arena open() {
      return pages().openConfinedArena();
    }
  }

  /** Of all threads. */
  public static class Shared extends Base {
    /** For the sweep. */
    public Shared() {}

    @Override
    Arena open() {
      return pages().openSharedArena();
    }
  }

  /** Of an allocator with a scope for each buffer. */
  public static final class Checked extends Shared {
    /** For the sweep. */
    public Checked() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().checked(true);
    }
  }
}
