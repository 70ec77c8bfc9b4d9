package dev.arenal.page;

import java.lang.ref.WeakReference;

/**
 * Gives memory that racks and heaps of an allocator keep for its next buffers to others of its
 * budget. Weak: if the allocator is lost, its memory stays while buffers are open, and nothing else
 * of it.
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
