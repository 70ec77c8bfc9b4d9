package dev.arenal.page;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.Faults;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Programs that may fail at any place, on the real kernel. */
final class PageFaultPrograms {
  private static final long MIB = 1 << 20;

  private PageFaultPrograms() {}

  /** An allocator with buffers of each kind, all of them stamped, and holes between them. */
  abstract static class Base implements FaultProgram {
    static final TidyKernel KERNEL = new TidyKernel();

    Budget budget = Budget.limitedTo("faults", 1L << 30);
    final List<PageBuffer> live = new ArrayList<>();
    final List<PageBuffer> fresh = new ArrayList<>();
    @Nullable PageAllocator allocator;

    PageAllocatorBuilder builder() {
      return PageAllocator.builder("faults")
          .capacityBytes(128 * MIB)
          .uncommitDelay(Duration.ofHours(1))
          .longestCloseWait(Duration.ofMillis(20))
          .operatingSystem(KERNEL.get())
          .budget(budget);
    }

    PageAllocator pages() {
      return Objects.requireNonNull(allocator);
    }

    @Override
    public void prepare() {
      KERNEL.unmapRest(); // of the program before
      allocator = builder().build();
      List<PageBuffer> dead = new ArrayList<>();
      long[] sizes = {16, 5000, 40_000, 200_000, 300_000, MIB / 2, 3 * MIB};
      for (int i = 0; i < 3; i++) {
        for (long size : sizes) {
          PageAge age = i == 2 ? PageAge.LONG_LIVED : PageAge.SHORT_LIVED;
          PageBuffer buffer = pages().allocate(size, age);
          (i == 1 ? dead : live).add(buffer);
        }
      }
      live.forEach(Base::stamp);
      dead.forEach(buffer -> {
        stamp(buffer);
        buffer.close();
      });
    }

    private static void stamp(PageBuffer buffer) {
      Noise.write(buffer.segment(), (int) buffer.sizeBytes());
    }

    void allocate(long sizeBytes) {
      fresh.add(pages().allocate(sizeBytes, PageAge.SHORT_LIVED));
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      PageAllocator pages = pages();
      boolean isDamaged = pages.state().isDamaged();
      require(!isDamaged || Faults.lastFault() != Fault.RESERVE, "damaged: " + thrown);
      if (!isDamaged) {
        pages.state().verify();
        requireUsed(pages.usedBytes());
        requireUsed(pages.report().usedBytes());
      }
      for (PageBuffer buffer : live) {
        requireStamp(buffer, isDamaged);
      }
      for (PageBuffer buffer : fresh) {
        require(Noise.firstNonZero(buffer.segment()) < 0, "memory is not zero");
      }
      if (!isDamaged) {
        requireService();
      }
      closeAll(isDamaged);
    }

    /** A close that has ended in the middle may have closed the buffer. */
    private static void requireStamp(PageBuffer buffer, boolean isDamaged) {
      try {
        long at = Noise.mismatch(buffer.segment(), (int) buffer.sizeBytes());
        require(at < 0, "stamp is lost");
      } catch (IllegalStateException e) {
        require(isDamaged && e.toString().contains(": buffer is closed: "), e.toString());
      }
    }

    /** All that it takes for committed is so. */
    private void requireService() {
      List<PageBuffer> buffers = new ArrayList<>();
      for (int sizeBytes : new int[] {100_000, 16, 8000, 250_000, 500_000, 3 << 20}) {
        PageBuffer buffer = pages().tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
        require(buffer != null || sizeBytes != 100_000, "no room");
        if (buffer != null) {
          buffers.add(buffer);
          require(Noise.firstNonZero(buffer.segment()) < 0, "memory is not zero");
          Noise.write(buffer.segment(), sizeBytes);
        }
      }
      buffers.forEach(PageBuffer::close);
    }

    void closeAll(boolean isDamaged) {
      live.forEach(buffer -> close(buffer, isDamaged));
      fresh.forEach(buffer -> close(buffer, isDamaged));
      if (!isDamaged) {
        pages().state().verify();
        require(pages().usedBytes() == 0, "used after all are closed: " + pages().report());
        var _ = pages().trim();
        require(
            pages().committedBytes() == 0, "committed after trim: " + PageAccess.describe(pages()));
      }
      pages().close();
      require(budget.committedBytes() == 0, "budget not returned: " + budget);
    }

    static void close(PageBuffer buffer, boolean isDamaged) {
      try {
        buffer.close();
      } catch (IllegalStateException e) {
        require(isDamaged && e.toString().contains(": buffer is already closed: "), e.toString());
      }
    }

    /** Of buffers that a program keeps apart and that are open. */
    long othersBytes() {
      return 0;
    }

    private void requireUsed(long usedBytes) {
      long sum = othersBytes();
      for (PageBuffer buffer : live) {
        sum += buffer.sizeBytes();
      }
      for (PageBuffer buffer : fresh) {
        sum += buffer.sizeBytes();
      }
      require(sum == usedBytes, "used differs: usedBytes=" + usedBytes + ", sum=" + sum);
    }

    static void require(boolean condition, String what) {
      if (!condition) {
        throw new AssertionError(what);
      }
    }
  }

  /** Slots: of runs that are there, and new runs. */
  public static final class AllocateSlot extends Base {
    /** For the sweep. */
    public AllocateSlot() {}

    @Override
    public void operate() {
      for (int i = 0; i < 12; i++) {
        allocate(16);
        allocate(8000);
      }
    }
  }

  /** Ranges: in holes, and in new pages. */
  public static final class AllocateRange extends Base {
    /** For the sweep. */
    public AllocateRange() {}

    @Override
    public void operate() {
      for (int i = 0; i < 20; i++) {
        allocate(220_000);
      }
    }
  }

  /** Pieces of medium pages, new ones among them. */
  public static class AllocateMedium extends Base {
    /** For the sweep. */
    public AllocateMedium() {}

    @Override
    public void operate() {
      for (int i = 0; i < 12; i++) {
        allocate(500_000);
      }
    }
  }

  /** The same where memory without use is not accessible. */
  public static final class AllocateMediumStrict extends AllocateMedium {
    /** For the sweep. */
    public AllocateMediumStrict() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT);
    }
  }

  /** The same where a page is brought without the lock, as in the experiment of the lab. */
  public static final class AllocateMediumUnsynchronized extends AllocateMedium {
    /** For the sweep. */
    public AllocateMediumUnsynchronized() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT).refillExperiment(false);
    }
  }

  /** Pages of their own. */
  public static final class AllocateLarge extends Base {
    /** For the sweep. */
    public AllocateLarge() {}

    @Override
    public void operate() {
      allocate(2 * MIB);
      allocate(5 * MIB);
    }
  }

  /** In holes that have gone back to the kernel. */
  public static class AllocateRecommitted extends Base {
    /** For the sweep. */
    public AllocateRecommitted() {}

    @Override
    public void prepare() {
      super.prepare();
      var _ = pages().trim();
    }

    @Override
    public void operate() {
      for (long size : new long[] {16, 5000, 40_000, 200_000, 500_000}) {
        allocate(size);
      }
    }
  }

  /** The same where memory without use is not accessible. */
  public static final class AllocateRecommittedStrict extends AllocateRecommitted {
    /** For the sweep. */
    public AllocateRecommittedStrict() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT);
    }
  }

  /** A page that is put together from what lies scattered in the cache. */
  public static class AllocateHarvested extends Base {
    /** For the sweep. */
    public AllocateHarvested() {}

    @Override
    public void prepare() {
      super.prepare();
      List<PageBuffer> odd = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        PageBuffer buffer = pages().allocate(2 * MIB, PageAge.SHORT_LIVED);
        if (i % 2 == 0) {
          live.add(buffer);
          Noise.write(buffer.segment(), (int) buffer.sizeBytes());
        } else {
          odd.add(buffer);
        }
      }
      odd.forEach(PageBuffer::close);
    }

    @Override
    public void operate() {
      allocate(8 * MIB);
    }
  }

  /** The same where memory without use is not accessible. */
  public static final class AllocateHarvestedStrict extends AllocateHarvested {
    /** For the sweep. */
    public AllocateHarvestedStrict() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT);
    }
  }

  /** Where the budget is at its end: what is kept for later is given up. */
  public static class AllocateAtTheLimit extends Base {
    /** For the sweep. */
    public AllocateAtTheLimit() {}

    @Override
    public void prepare() {
      budget = Budget.limitedTo("faults", 24 * MIB);
      super.prepare();
    }

    @Override
    public void operate() {
      PageBuffer buffer;
      do {
        buffer = pages().tryAllocate(500_000, PageAge.LONG_LIVED);
        if (buffer != null) {
          fresh.add(buffer);
        }
      } while (buffer != null);
    }
  }

  /** The same where memory without use is not accessible. */
  public static final class AllocateAtTheLimitStrict extends AllocateAtTheLimit {
    /** For the sweep. */
    public AllocateAtTheLimitStrict() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT);
    }
  }

  /** In holes of pages of the other age, since no page can be had. */
  public static final class AllocateAnywhere extends AllocateAtTheLimit {
    /** For the sweep. */
    public AllocateAnywhere() {}

    @Override
    public void prepare() {
      super.prepare();
      fill(250_000, PageAge.LONG_LIVED);
      PageBuffer last = live.getLast();
      fill(13_000, PageAge.SHORT_LIVED);
      live.remove(last);
      last.close();
    }

    @Override
    public void operate() {
      allocate(13_000);
      allocate(40_000);
    }

    private void fill(int sizeBytes, PageAge age) {
      PageBuffer buffer = pages().tryAllocate(sizeBytes, age);
      while (buffer != null) {
        live.add(buffer);
        Noise.write(buffer.segment(), sizeBytes);
        buffer = pages().tryAllocate(sizeBytes, age);
      }
    }
  }

  /** With a scope for each. */
  public static final class AllocateChecked extends Base {
    /** For the sweep. */
    public AllocateChecked() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().checked(true);
    }

    @Override
    public void operate() {
      allocate(16);
      allocate(200_000);
      live.getFirst().close();
      live.removeFirst();
    }
  }

  /** In the queue. */
  public static final class AllocateWaiting extends Base {
    /** For the sweep. */
    public AllocateWaiting() {}

    @Override
    public void operate() {
      try {
        fresh.add(pages().allocate(127 * MIB, PageAge.SHORT_LIVED, Duration.ofMillis(1)));
      } catch (OutOfMemoryError e) {
        if ("made by a test".equals(e.getMessage())) {
          throw e;
        }
      }
    }
  }

  /** In the queue, until another thread has closed a buffer. */
  public static final class AllocateStalled extends Base {
    /** For the sweep. */
    public AllocateStalled() {}

    @Override
    public void prepare() {
      super.prepare();
      allocate(100 * MIB);
    }

    @Override
    public void operate() {
      PageBuffer large = fresh.removeLast();
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                while (pages().report().waitingThreadCount() == 0 && !Thread.interrupted()) {
                  LockSupport.parkNanos(50_000);
                }
                large.close();
              });
      try {
        fresh.add(pages().allocate(90 * MIB, PageAge.SHORT_LIVED, Duration.ofSeconds(10)));
      } finally {
        other.interrupt();
        join(other);
      }
    }

    private static void join(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Buffers of each kind. */
  public static final class Free extends Base {
    /** For the sweep. */
    public Free() {}

    @Override
    public void operate() {
      while (!live.isEmpty()) {
        live.getLast().close(); // complete, or as if it had not been called
        live.removeLast();
      }
    }
  }

  /** All that is free. */
  public static class Trim extends Base {
    /** For the sweep. */
    public Trim() {}

    @Override
    public void operate() {
      var _ = pages().trim();
    }
  }

  /** The same where memory without use is not accessible. */
  public static final class TrimStrict extends Trim {
    /** For the sweep. */
    public TrimStrict() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT);
    }
  }

  /** A tick of the housekeeper. */
  public static class Tick extends Base {
    /** For the sweep. */
    public Tick() {}

    @Override
    public void operate() {
      for (int i = 1; i < 5; i++) {
        pages().state().tick(System.nanoTime() + i * Duration.ofMinutes(61).toNanos());
      }
    }
  }

  /** The same where memory without use is not accessible. */
  public static final class TickStrict extends Tick {
    /** For the sweep. */
    public TickStrict() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT);
    }
  }

  /** Of what is there, and of more. */
  public static class Pretouch extends Base {
    /** For the sweep. */
    public Pretouch() {}

    @Override
    public void operate() {
      var _ = pages().pretouch(dev.arenal.pretouch.Pretouch.upTo(32 * MIB).threads(1));
    }
  }

  /** The same where memory without use is not accessible. */
  public static final class PretouchStrict extends Pretouch {
    /** For the sweep. */
    public PretouchStrict() {}

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().commitMode(CommitMode.PROTECT);
    }
  }

  /** Figures of all kinds. */
  public static final class Report extends Base {
    /** For the sweep. */
    public Report() {}

    @Override
    public void operate() {
      require(pages().report().toString().startsWith("faults"), "report");
      require(pages().statistics().toString().length() > 100, "statistics");
    }
  }

  /** With nothing open. */
  public static final class Close extends Base {
    /** For the sweep. */
    public Close() {}

    @Override
    public void prepare() {
      super.prepare();
      live.forEach(PageBuffer::close);
      live.clear();
    }

    @Override
    public void operate() {
      pages().close();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      pages().close(); // once more, or at last
      require(budget.committedBytes() == 0, "budget not returned: " + budget);
    }
  }

  /** From nothing. */
  public static final class Build extends Base {
    /** For the sweep. */
    public Build() {}

    @Override
    public void prepare() {}

    @Override
    public void operate() {
      allocator = builder().pretouch(dev.arenal.pretouch.Pretouch.upTo(8 * MIB).threads(1)).build();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      if (allocator != null) {
        allocator.close();
      }
      require(budget.committedBytes() == 0, "budget not returned: " + budget);
    }
  }
}
