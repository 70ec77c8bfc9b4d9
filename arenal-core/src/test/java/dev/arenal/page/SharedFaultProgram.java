package dev.arenal.page;

import dev.arenal.page.PageFaultPrograms.Base;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Where what another allocator of the budget has free makes up a buffer. */
public final class SharedFaultProgram extends Base {
  private static final long MIB = 1 << 20;

  private @Nullable PageAllocator other;
  private @Nullable PageBuffer kept;

  /** For the sweep. */
  public SharedFaultProgram() {}

  @Override
  PageAllocatorBuilder builder() {
    return super.builder().shareFree(true);
  }

  @Override
  public void prepare() {
    super.prepare();
    PageAllocator giver = builder().build();
    PageBuffer whole = giver.allocate(MIB / 2, PageAge.SHORT_LIVED);
    Noise.write(whole.segment(), (int) whole.sizeBytes());
    PageBuffer free = giver.allocate(12 * MIB, PageAge.SHORT_LIVED);
    Noise.write(free.segment(), (int) free.sizeBytes());
    free.close();
    other = giver;
    kept = whole;
  }

  @Override
  public void operate() {
    allocate(8 * MIB);
  }

  @Override
  void closeAll(boolean isDamaged) {
    PageAllocator giver = Objects.requireNonNull(other);
    PageBuffer whole = Objects.requireNonNull(kept);
    require(Noise.mismatch(whole.segment(), (int) whole.sizeBytes()) < 0, "stamp is lost");
    // By another thread: this one may have kept a lock, which it would have once more.
    CompletableFuture.runAsync(
            () -> {
              whole.close();
              if (!giver.state().isDamaged()) {
                giver.state().verify();
              }
              giver.close();
            },
            task -> new Thread(task, "closes").start())
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
    super.closeAll(isDamaged);
  }
}
