package dev.arenal.lab.buffers;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageAllocatorBuilder;
import dev.arenal.page.PageBuffer;
import java.util.Objects;

/** Our own page allocator. */
final class PagePeer implements BufferPeer {
  private final PeerKind kind;
  private final PageAllocator allocator;

  PagePeer(PeerKind kind, PeerSettings settings) {
    this.kind = kind;
    PageAllocatorBuilder builder =
        PageAllocator.builder()
            .name("buffers")
            .capacityBytes(settings.capacityBytes())
            // The peers do not zero what they hand out.
            .zeroed(kind == PeerKind.ARENAL_ZEROED);
    if (settings.uncommitDelay() != null) {
      builder.uncommitDelay(settings.uncommitDelay());
    }
    this.allocator = builder.build();
  }

  @Override
  public PeerKind kind() {
    return kind;
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
