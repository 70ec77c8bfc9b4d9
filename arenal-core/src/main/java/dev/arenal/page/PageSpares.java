package dev.arenal.page;

import dev.arenal.page.granule.PageSupply;
import java.lang.ref.WeakReference;

/**
 * Gives memory that racks and heaps of an allocator keep for its next buffers to others of its
 * budget. Weak: if the allocator is lost, its memory stays while buffers are open, and nothing else
 * of it.
 */
final class PageSpares extends WeakReference<PageState> implements PageSupply.Spares {
  PageSpares(PageState state) {
    super(state);
  }

  @Override
  public void give() {
    PageState state = get();
    if (state != null) {
      state.giveBackSpares();
    }
  }

  @Override
  public long giveHoles(long lackingBytes) {
    PageState state = get();
    return state == null ? 0 : state.giveHoles(lackingBytes);
  }
}
