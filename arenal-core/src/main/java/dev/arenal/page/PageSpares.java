package dev.arenal.page;

import java.lang.ref.WeakReference;

/**
 * What racks and heaps of an allocator keep for its next buffers, for others of its budget. Weak:
 * where the allocator is lost, its memory stays while buffers are open, and nothing else of it.
 */
final class PageSpares extends WeakReference<PageState> implements Runnable {
  PageSpares(PageState state) {
    super(state);
  }

  /** Gives it to the cache. */
  @Override
  public void run() {
    PageState state = get();
    if (state != null) {
      state.giveBackSpares();
    }
  }
}
