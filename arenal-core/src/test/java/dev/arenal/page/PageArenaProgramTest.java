package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Drawn programs of arenas and buffers of one allocator against a naive oracle: nothing overlaps,
 * blocks are aligned, zero when handed out and keep what was written; what is refused changes
 * nothing; at the end everything is back.
 */
@Timeout(300)
final class PageArenaProgramTest {
  private static final int PROGRAM_COUNT = 60;
  private static final int STEP_COUNT = 600;
  private static final int MOST_ARENAS = 6;
  private static final long MOST_USED_BYTES = 96L << 20;

  @RegisterExtension private final Allocators allocators = new Allocators();

  private final List<OpenArena> arenas = new ArrayList<>();
  private final List<PageBuffer> buffers = new ArrayList<>();

  /** All that is in use: address to its end. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  private int refusalCount;

  /** In which step a byte of a block is changed; for the canary. */
  private int damagedStep = -1;

  private record Block(MemorySegment segment, int mark) {}

  private record OpenArena(Arena arena, List<Block> blocks) {}

  @Test
  void drawnPrograms() {
    int programCount = Seeds.draws(PROGRAM_COUNT);
    for (int i = 0; i < programCount; i++) {
      SplittableRandom random = new SplittableRandom(Seeds.derive("pageArenas", i));
      try {
        run(random);
      } catch (AssertionError e) {
        allocators.abandon();
        throw new AssertionError(Seeds.hint() + ", program=" + i + ": " + e.getMessage(), e);
      }
    }
    assertThat(refusalCount).isPositive();
  }

  /** The oracle sees a single byte. */
  @Test
  void canary_ofAByteThatIsNotTheBlocksOwn() {
    damagedStep = 400;
    assertThatThrownBy(() -> run(new SplittableRandom(11)))
        .isInstanceOf(AssertionError.class)
        .hasMessage("a block has foreign bytes at 0");
    allocators.abandon();
  }

  private void run(SplittableRandom random) {
    allocators.isZeroed = random.nextBoolean();
    allocators.isChecked = random.nextInt(8) == 0;
    allocators.hasMagazines = random.nextBoolean();
    allocators.mode = random.nextBoolean() ? CommitMode.DISCARD : CommitMode.PROTECT;
    allocators.budget =
        random.nextBoolean()
            ? Budget.unlimited("drawn")
            : Budget.limitedTo("drawn", (8 + random.nextInt(32)) * Allocators.MIB);
    boolean isFaulty = random.nextInt(3) == 0;
    PageAllocator pages = allocators.open();
    for (int step = 0; step < STEP_COUNT; step++) {
      if (isFaulty && random.nextInt(50) == 0) {
        allocators.os.failCalls(1 + random.nextInt(10), 1 + random.nextInt(5), Errno.ENOMEM);
      }
      step(pages, random, step);
      if (step == damagedStep) {
        damage();
      }
    }
    while (!arenas.isEmpty()) {
      close(arenas.removeLast());
    }
    while (!buffers.isEmpty()) {
      free(buffers.removeLast());
    }
    Allocators.check(ranges.isEmpty(), "the oracle has something left");
    Allocators.check(pages.usedBytes() == 0, "used after all are closed: " + pages);
    allocators.finish();
  }

  private void damage() {
    for (OpenArena arena : arenas) {
      for (Block block : arena.blocks) {
        if (block.segment.byteSize() > 0) {
          byte first = block.segment.get(ValueLayout.JAVA_BYTE, 0);
          block.segment.set(ValueLayout.JAVA_BYTE, 0, (byte) ~first);
          return;
        }
      }
    }
  }

  private void step(PageAllocator pages, SplittableRandom random, int step) {
    switch (random.nextInt(16)) {
      case 0 -> {
        if (arenas.size() < MOST_ARENAS) {
          Arena arena = random.nextBoolean() ? pages.openSharedArena() : pages.openConfinedArena();
          arenas.add(new OpenArena(arena, new ArrayList<>()));
        }
      }
      case 1 -> {
        if (!arenas.isEmpty() && random.nextInt(2) == 0) {
          close(arenas.remove(random.nextInt(arenas.size())));
        }
      }
      case 2, 3 -> {
        if (!buffers.isEmpty()) {
          free(buffers.remove(random.nextInt(buffers.size())));
        }
      }
      case 4, 5 -> take(pages, sizeBytes(random));
      case 6 -> {
        if (random.nextInt(8) == 0) {
          var _ = pages.trim();
          pages.state().verify();
        }
      }
      default -> {
        if (!arenas.isEmpty()) {
          allocate(pages, arenas.get(random.nextInt(arenas.size())), random, step);
        }
      }
    }
  }

  private static long sizeBytes(SplittableRandom random) {
    int shift = random.nextInt(10) == 0 ? random.nextInt(24) : random.nextInt(13);
    return random.nextLong(1L << shift) + random.nextInt(2);
  }

  private void allocate(PageAllocator pages, OpenArena arena, SplittableRandom random, int step) {
    long sizeBytes = sizeBytes(random);
    int shift = random.nextInt(8) == 0 ? random.nextInt(23) : random.nextInt(5);
    long usedBytes = pages.usedBytes();
    if (usedBytes + sizeBytes + (1L << shift) > MOST_USED_BYTES) {
      return;
    }
    MemorySegment block;
    try {
      block = arena.arena.allocate(sizeBytes, 1L << shift);
    } catch (OutOfMemoryError e) {
      Allocators.check(pages.usedBytes() == usedBytes, "a refusal took memory");
      refusalCount++;
      return;
    }
    Allocators.check((block.address() & ((1L << shift) - 1)) == 0, "misaligned");
    Allocators.check(block.byteSize() == sizeBytes, "another size");
    enter(block.address(), Math.max(1, sizeBytes));
    Allocators.check(Noise.firstNonZero(block) < 0, "memory is not zero");
    Noise.write(block, step);
    arena.blocks.add(new Block(block, step));
  }

  private void take(PageAllocator pages, long sizeBytes) {
    PageBuffer buffer =
        pages.usedBytes() + sizeBytes > MOST_USED_BYTES ? null : pages.tryAllocate(sizeBytes);
    if (buffer != null) {
      enter(buffer.address, Math.max(1, sizeBytes));
      Noise.write(buffer.segment(), (int) sizeBytes);
      buffers.add(buffer);
    }
  }

  private void free(PageBuffer buffer) {
    long at = Noise.mismatch(buffer.segment(), (int) buffer.sizeBytes());
    Allocators.check(at < 0, () -> "a buffer has foreign bytes at " + at);
    leave(buffer.address);
    buffer.close();
  }

  private void close(OpenArena arena) {
    for (Block block : arena.blocks) {
      long at = Noise.mismatch(block.segment, block.mark);
      Allocators.check(at < 0, () -> "a block has foreign bytes at " + at);
      leave(block.segment.address());
    }
    arena.arena.close();
    for (Block block : arena.blocks) {
      Allocators.check(!block.segment.scope().isAlive(), "a block outlives its arena");
    }
  }

  private void enter(long address, long sizeBytes) {
    Map.Entry<Long, Long> before = ranges.lowerEntry(address + sizeBytes);
    Allocators.check(before == null || before.getValue() <= address, "blocks overlap");
    ranges.put(address, address + sizeBytes);
  }

  private void leave(long address) {
    ranges.remove(address);
  }
}
