package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.page.span.HeapPage;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory of a buffer is committed and reads as zero, whatever was there before: slots, ranges
 * in small and medium pages, large pages.
 */
final class BufferMemoryTest {
  private static final int KIB = 1 << 10;

  @RegisterExtension private final Allocators allocators = new Allocators();
  private final List<PageBuffer> open = new ArrayList<>();

  /** As it was, and cut in another way: smaller ones in it, larger ones over several. */
  @ParameterizedTest
  @ValueSource(longs = {16, 100, 1000, 8192, 9000, 50_000, 262_144, 300_000, MIB, 5 * MIB})
  void memoryOfBuffersThatAreClosed_isZero(long sizeBytes) {
    PageAllocator pages = allocators.open();
    int count = Math.clamp(4 * MIB / sizeBytes, 3, 300);
    for (long next : new long[] {sizeBytes, sizeBytes, 2 * sizeBytes, Math.max(1, sizeBytes / 2)}) {
      for (int i = 0; i < count; i++) {
        allocate(pages, next, i);
      }
      for (int i = 0; i < count; i += 2) { // others of the same size come between them
        open.get(i).close();
        open.set(i, zero(pages.allocate(next, PageAge.SHORT_LIVED), i));
      }
      closeAll(pages);
    }
  }

  /** Where the kernel forbids writing to memory that is not committed. */
  @ParameterizedTest
  @ValueSource(longs = {16, 1000, 2048, 8192, 20_000, 262_144, 300_000, MIB})
  void holesThatWentBack_areCommittedAgain(long sizeBytes) {
    allocators.mode = CommitMode.PROTECT;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, sizeBytes);
    long committedBytes = pages.committedBytes();
    long count = Math.max(40, 128 * KIB / sizeBytes); // those that are committed come first
    for (int i = 0; i < count; i++) {
      allocate(pages, sizeBytes, i);
    }
    assertThat(pages.committedBytes()).isGreaterThan(committedBytes);
    pages.state().verify();
    closeAll(pages);
  }

  /** Nothing then, or what is committed still; and when there is budget again, all of it. */
  @ParameterizedTest
  @ValueSource(longs = {16, 1000, 2048, 8192, 20_000, 262_144, 300_000, MIB})
  void holesThatTheBudgetDoesNotGiveBack_haveNoOwner(long sizeBytes) {
    allocators.mode = CommitMode.PROTECT;
    allocators.budget = Budget.limitedTo("shared", 256 * MIB);
    PageAllocator pages = allocators.open();
    leaveHoles(pages, sizeBytes);
    long restBytes = allocators.budget.availableBytes();
    assertThat(Ledger.of(allocators.budget).tryCommit(restBytes)).isTrue();
    long committedBytes = pages.committedBytes();
    PageBuffer buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
    for (int i = 0; buffer != null; i++) {
      open.add(zero(buffer, i));
      assertThat(open).hasSizeLessThan(100_000);
      buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
    }
    pages.state().verify();
    assertThat(pages.committedBytes()).isLessThanOrEqualTo(committedBytes);
    Ledger.of(allocators.budget).uncommit(restBytes);
    for (int i = 0; i < 40; i++) {
      allocate(pages, sizeBytes, i);
    }
    closeAll(pages);
  }

  /** Eight in nine of many buffers are closed, and their memory is given back. */
  private void leaveHoles(PageAllocator pages, long sizeBytes) {
    int count = Math.clamp(16 * MIB / sizeBytes, 64, 20_000);
    List<PageBuffer> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(zero(pages.allocate(sizeBytes, PageAge.SHORT_LIVED), i));
    }
    // So far apart that there are OS pages between them.
    int kept = (int) Math.max(9, 20 * KIB / sizeBytes);
    for (int i = 0; i < count; i++) {
      if (i % kept == kept - 1) {
        open.add(all.get(i));
      } else {
        all.get(i).close();
      }
    }
    assertThat(pages.trim()).isPositive();
    pages.state().verify();
  }

  private void allocate(PageAllocator pages, long sizeBytes, int mark) {
    open.add(zero(pages.allocate(sizeBytes, PageAge.SHORT_LIVED), mark));
  }

  /** Looks at what it has and writes to all of it. */
  private static PageBuffer zero(PageBuffer buffer, int mark) {
    HeapPage page = buffer.span().page();
    long address = buffer.segment().address();
    int from = page.unitAt(address);
    int to = page.unitAt(address + Math.max(1, buffer.sizeBytes()) - 1) + 1;
    // Before it is touched: to read it would end the JVM.
    assertThat(page.isDiscarded(from, to)).as("buffer %d is not committed", mark).isFalse();
    assertThat(Noise.firstNonZero(buffer.segment())).as("buffer %d", mark).isEqualTo(-1);
    var _ = buffer.segment().fill((byte) (mark | 1));
    return buffer;
  }

  private void closeAll(PageAllocator pages) {
    for (PageBuffer buffer : open) {
      byte mark = buffer.segment().get(ValueLayout.JAVA_BYTE, 0);
      assertThat(mark).isNotZero();
      assertThat(Contents.mismatch(buffer.segment(), mark)).isEqualTo(-1);
      buffer.close();
    }
    open.clear();
    pages.state().verify();
  }
}
