package dev.arenal.page;

import dev.arenal.memory.CommitMode;
import dev.arenal.page.PageFaultPrograms.Base;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A medium page is brought without the lock, as in the experiment of the lab, and in vain: while
 * the kernel commits it, another thread, in which nothing fails, publishes one.
 */
public final class LostRefillFaultProgram extends Base {
  private static final long SIZE_BYTES = 500_000;

  private final GatedOperatingSystem kernel = new GatedOperatingSystem(KERNEL.get());

  /** For the sweep. */
  public LostRefillFaultProgram() {}

  @Override
  PageAllocatorBuilder builder() {
    return super.builder()
        .operatingSystem(kernel)
        .commitMode(CommitMode.PROTECT) // then committing is a call
        .refillExperiment(false);
  }

  @Override
  public void operate() {
    kernel.meanwhile(this::allocateInAnotherThread);
    try {
      for (int i = 0; i < 12; i++) {
        allocate(SIZE_BYTES);
      }
    } finally {
      kernel.meanwhile(null);
    }
  }

  private void allocateInAnotherThread() {
    CompletableFuture.runAsync(
            () -> allocate(SIZE_BYTES), task -> new Thread(task, "is faster").start())
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }

  @Override
  public void check(@Nullable Throwable thrown) {
    long undoCount = pages().state().supply.statistics().undos.get();
    require(thrown != null || undoCount == 1, "no page was undone: undoCount=" + undoCount);
    super.check(thrown);
  }
}
