package dev.arenal.lab.buffers;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.time.Duration;
import java.util.Objects;

/** Our own page allocator. */
final class PagePeer implements BufferPeer {
  /** As the builder has it; said again so that the table tells what was measured. */
  private static final Duration DEFAULT_DELAY = Duration.ofMinutes(5);

  private final Duration delay;
  private final PageAllocator allocator;

  PagePeer(PeerKind kind, PeerSettings settings) {
    this.delay = kind == PeerKind.ARENAL_SHORT ? settings.shortDelay() : DEFAULT_DELAY;
    this.allocator =
        PageAllocator.builder("buffers")
            .capacityBytes(settings.capacityBytes())
            // The peers do not zero what they hand out.
            .zeroed(kind.isZeroed())
            .uncommitDelay(delay)
            .build();
  }

  @Override
  public long allocate(Slots slots, int index, int sizeBytes) {
    PageBuffer buffer = allocator.allocate(sizeBytes, PageAge.SHORT_LIVED);
    slots.setHandle(index, buffer);
    return buffer.segment().address();
  }

  @Override
  public void free(Slots slots, int index) {
    ((PageBuffer) Objects.requireNonNull(slots.handle(index))).close();
  }

  @Override
  public boolean hasHandles() {
    return true;
  }

  @Override
  public Duration delay() {
    return delay;
  }

  @Override
  public boolean trim() {
    long _ = allocator.trim();
    return true;
  }

  @Override
  public String library() {
    return "arenal";
  }

  @Override
  public void close() {
    allocator.close();
  }
}
