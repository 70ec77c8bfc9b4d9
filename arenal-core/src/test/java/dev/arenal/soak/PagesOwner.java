package dev.arenal.soak;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.page.PageAccess;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** A page allocator with buffers that any thread frees. */
final class PagesOwner extends Owner {
  private static final long MIB = 1 << 20;

  final PageAllocator pages;
  final boolean isZeroed;
  private final ConcurrentLinkedDeque<Held> open = new ConcurrentLinkedDeque<>();

  /** A buffer and what was written into it. */
  record Held(PageBuffer buffer, long mark) {
    void check() {
      long at = Stamp.mismatch(buffer.segment(), mark);
      if (at >= 0) {
        throw new AssertionError("foreign write: at=" + at + ", " + buffer);
      }
    }
  }

  PagesOwner(String name, Budget budget, FlakyKernel kernel, SplittableRandom random) {
    this.isZeroed = random.nextInt(4) > 0;
    this.pages =
        PageAccess.on(PageAllocator.builder(name), kernel.system())
            .budget(budget)
            .commitMode(random.nextInt(3) == 0 ? CommitMode.PROTECT : CommitMode.DISCARD)
            .capacityBytes((random.nextBoolean() ? 24 : 160) * MIB)
            .uncommitDelay(
                random.nextInt(3) == 0 ? Duration.ZERO : Duration.ofMillis(random.nextInt(2000)))
            .slackPercent(random.nextBoolean() ? 15 : 100)
            .zeroed(isZeroed)
            .checked(random.nextInt(4) == 0)
            .shareFree(random.nextInt(3) > 0)
            .build();
  }

  void add(Held held) {
    open.add(held);
  }

  /** The oldest or the youngest, which no other thread has from now on. */
  @Nullable Held take(SplittableRandom random) {
    return random.nextInt(3) == 0 ? open.pollFirst() : open.pollLast();
  }

  boolean isFilled() {
    return pages.usedBytes() > pages.capacityBytes() / 2;
  }

  @Override
  String name() {
    return pages.name();
  }

  @Override
  String describe() {
    return name()
        + ": "
        + pages.report()
        + ", usedBytes="
        + pages.usedBytes()
        + ", committedBytes="
        + pages.committedBytes()
        + ", states="
        + PageAccess.describe(pages);
  }

  @Override
  long committedBytes() {
    return pages.committedBytes();
  }

  @Override
  void verify() {
    PageAccess.verify(pages);
  }

  @Override
  void closeContents() {
    for (Held held = open.poll(); held != null; held = open.poll()) {
      held.check();
      held.buffer.close();
    }
  }

  @Override
  void trim() {
    var _ = pages.trim();
  }

  @Override
  void close() {
    pages.close();
  }
}
