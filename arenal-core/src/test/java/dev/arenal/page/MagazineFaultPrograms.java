package dev.arenal.page;

import dev.arenal.page.PageFaultPrograms.Base;
import java.util.ArrayList;
import java.util.List;

/** Requests and frees that end at a magazine, on the real kernel. */
final class MagazineFaultPrograms {
  private MagazineFaultPrograms() {}

  /** Slots and ranges that have been freed before: no heap is asked. */
  public static final class TakeFreed extends Base {
    /** For the sweep. */
    public TakeFreed() {}

    @Override
    public void prepare() {
      super.prepare();
      closeAll(buffers(6, 48, 3000, 70_000, 600_000));
    }

    @Override
    public void operate() {
      for (int i = 0; i < 2; i++) {
        allocate(48);
        allocate(3000);
        allocate(70_000);
        allocate(600_000);
      }
    }

    private List<PageBuffer> buffers(int count, long... sizes) {
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        for (long size : sizes) {
          PageBuffer buffer = pages().allocate(size, PageAge.SHORT_LIVED);
          Noise.write(buffer.segment(), (int) size);
          buffers.add(buffer);
        }
      }
      return buffers;
    }

    private static void closeAll(List<PageBuffer> buffers) {
      buffers.forEach(PageBuffer::close);
    }
  }

  /** A magazine that is empty is filled from a run. */
  public static final class Refill extends Base {
    /** For the sweep. */
    public Refill() {}

    @Override
    public void prepare() {
      super.prepare();
      live.add(pages().allocate(96, PageAge.SHORT_LIVED));
      Noise.write(live.getLast().segment(), 96);
    }

    @Override
    public void operate() {
      for (int i = 0; i < 40; i++) {
        allocate(96);
      }
    }
  }

  /** Magazines that are full give half of what they have to the heaps. */
  public static class Spill extends Base {
    final List<PageBuffer> many = new ArrayList<>();

    /** For the sweep. */
    public Spill() {}

    @Override
    public void prepare() {
      super.prepare();
      for (int i = 0; i < 80; i++) {
        many.add(pages().allocate(i % 4 == 0 ? 70_000 : 200, PageAge.SHORT_LIVED));
      }
    }

    @Override
    public void operate() {
      while (!many.isEmpty()) {
        many.getLast().close();
        many.removeLast();
      }
    }

    @Override
    void closeAll(boolean isDamaged) {
      many.forEach(buffer -> close(buffer, isDamaged));
      many.clear();
      super.closeAll(isDamaged);
    }

    @Override
    long othersBytes() {
      return many.stream().mapToLong(PageBuffer::sizeBytes).sum();
    }
  }

  /** Slots, where a buffer is pending that was left at the end of a stack. */
  public static final class AllocateBehindPending extends Base {
    /** For the sweep. */
    public AllocateBehindPending() {}

    @Override
    public void prepare() {
      super.prepare();
      PageBuffer left = pages().allocate(16, PageAge.SHORT_LIVED);
      left.isClosed = true;
      LockedHeap.of(left.span()).leave(left);
    }

    @Override
    public void operate() {
      for (int i = 0; i < 12; i++) {
        allocate(16);
        allocate(8000);
      }
    }
  }

  /** The same without magazines: each buffer goes to its heap, whose pages become empty. */
  public static final class FreeToHeaps extends Spill {
    /** For the sweep. */
    public FreeToHeaps() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().magazines(false);
    }

    @Override
    public void prepare() {
      super.prepare();
      for (int i = 0; i < 30; i++) {
        many.add(pages().allocate(200_000, PageAge.SHORT_LIVED));
      }
    }
  }
}
