package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.PageIndex;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A heap that grows while much is free pays for it with free memory. */
final class SlackTest {
  private static final long KIB = 1 << 10;

  @RegisterExtension private final Allocators allocators = new Allocators();
  private final List<PageBuffer> open = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void growth_isPaidForWithFreeMemory(CommitMode mode) {
    allocators.mode = mode;
    allocators.slackPercent = 10;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 60, MIB); // 30 MiB of them
    open.add(buffer(pages, 20 * MIB));
    assertThat(pages.usedBytes()).isEqualTo(50 * MIB);
    // All but the 8 MiB that any allocator may have free: that is less than four times the growth.
    assertThat(pages.committedBytes()).isEqualTo(58 * MIB);
    closeAll(pages);
  }

  /** Growth by a little does not give back all that is free: up to four times as much. */
  @Test
  void littleGrowth_isPaidForFourTimes() {
    allocators.slackPercent = 0;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 60, MIB); // 30 MiB of them
    long before = pages.committedBytes();
    open.add(buffer(pages, 4 * MIB));
    assertThat(pages.committedBytes()).isEqualTo(before + 4 * MIB - 16 * MIB);
    closeAll(pages);
  }

  /** Free memory within the share stays, however much the allocator grows. */
  @Test
  void shareOfTheUsedMemory_stays() {
    allocators.slackPercent = 10;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 60, MIB);
    open.add(buffer(pages, 100 * MIB));
    open.add(buffer(pages, 40 * MIB));
    PageReport report = pages.report();
    assertThat(report.usedBytes()).isEqualTo(170 * MIB);
    // A tenth, of what was used when it was paid; and what lies above the top of the page.
    assertThat(report.freeBytes()).isBetween(12 * MIB, 24 * MIB);
    closeAll(pages);
  }

  @Test
  void freeMemory_staysCommitted_whereNothingGrows() {
    allocators.slackPercent = 0;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 60, MIB);
    long committedBytes = pages.committedBytes();
    int callCount = allocators.os.callCount(Call.DISCARD);
    for (int i = 0; i < 1000; i++) { // in the holes
      buffer(pages, MIB).close();
    }
    assertThat(pages.committedBytes()).isEqualTo(committedBytes);
    assertThat(allocators.os.callCount(Call.DISCARD)).isEqualTo(callCount);
    closeAll(pages);
  }

  @Test
  void enoughSlack_keepsAll() {
    allocators.slackPercent = 1000;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 60, MIB);
    long before = pages.committedBytes();
    open.add(buffer(pages, 20 * MIB));
    assertThat(pages.committedBytes()).isEqualTo(before + 20 * MIB);
    closeAll(pages);
  }

  /** Cached memory goes before holes, which are where they are needed. */
  @Test
  void cachedMemory_goesFirst() {
    allocators.mode = CommitMode.PROTECT; // where the cache does not move, and so can stay
    allocators.slackPercent = 10;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 16, MIB); // 8 MiB, which is less than a tenth of what follows
    open.add(buffer(pages, 92 * MIB));
    PageBuffer cached = buffer(pages, 10 * MIB);
    open.add(buffer(pages, 2 * MIB)); // so that the cached range cannot grow
    cached.close();
    open.add(buffer(pages, 20 * MIB));
    // 122 MiB are used, 140 would be committed, 134.2 may be: two granules, and the rest from
    // holes.
    assertThat(pages.report().cachedBytes()).isEqualTo(6 * MIB);
    assertThat(pages.committedBytes()).isEqualTo(122 * MIB * 11 / 10 & -4096);
    closeAll(pages);
  }

  /** Holes of a page or two are used again soon, and not worth a call. */
  @Test
  void smallHoles_stay() {
    allocators.slackPercent = 0;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 4000, 9 * KIB);
    long before = pages.committedBytes();
    int callCount = allocators.os.callCount(Call.DISCARD);
    open.add(buffer(pages, 20 * MIB));
    // The free end of the last small page may go.
    assertThat(pages.committedBytes()).isBetween(before + 18 * MIB, before + 20 * MIB);
    assertThat(allocators.os.callCount(Call.DISCARD)).isBetween(callCount, callCount + 1);
    closeAll(pages);
  }

  /** Beyond the share only large ones go, and those of some pages beyond a quarter more. */
  @ParameterizedTest
  @CsvSource({"60, 20", "20, -5"})
  void mediumHoles_stay_whileNotMuchMoreThanTheShareIsFree(int percent, int grownMib) {
    allocators.slackPercent = percent;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 2000, 40 * KIB); // 39 MiB of them, as much as is used
    long before = pages.committedBytes();
    open.add(buffer(pages, 20 * MIB)); // free is two thirds of what is used then
    assertThat(pages.committedBytes())
        .isBetween(before + (grownMib - 2) * MIB, before + (grownMib + 2) * MIB);
    closeAll(pages);
  }

  /** The heap that has most of it pays, whichever heap has grown. */
  @Test
  void heapWithMostFreeMemory_pays() {
    allocators.slackPercent = 0;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 40, MIB / 2); // 10 MiB in medium pages
    List<PageBuffer> medium = List.copyOf(open);
    leaveHoles(pages, 400, 200 * KIB); // 39 MiB in small ones
    PageBuffer small = open.getLast();
    long mediumDiscarded = discardedBytes(LockedHeap.of(medium.getFirst().span()));
    long smallDiscarded = discardedBytes(LockedHeap.of(small.span()));
    open.add(buffer(pages, 20 * MIB)); // all goes but the 8 MiB that any may have free
    assertThat(discardedBytes(LockedHeap.of(medium.getFirst().span()))).isEqualTo(mediumDiscarded);
    assertThat(discardedBytes(LockedHeap.of(small.span())) - smallDiscarded)
        .isBetween(34 * MIB, 36 * MIB);
    closeAll(pages);
  }

  /** Where the heap with most has only small holes, the next one pays. */
  @Test
  void heapWithLargeHoles_pays_ifTheOneWithMostHasNone() {
    allocators.slackPercent = 60;
    PageAllocator pages = allocators.open();
    List<PageBuffer> small = buffers(pages, 2000, 40 * KIB);
    List<PageBuffer> medium = buffers(pages, 20, MIB);
    closeEverySecond(small); // 39 MiB in holes of ten OS pages
    closeEverySecond(medium); // 10 MiB in larger ones
    LockedHeap smallHeap = LockedHeap.of(open.getFirst().span());
    LockedHeap mediumHeap = LockedHeap.of(open.getLast().span());
    open.add(buffer(pages, 20 * MIB)); // 69 MiB are used then, and some 8 are too many
    assertThat(discardedBytes(smallHeap)).isLessThan(2 * MIB); // the end of the last page
    assertThat(discardedBytes(mediumHeap)).isBetween(6 * MIB, 10 * MIB);
    closeAll(pages);
  }

  /** Low pages are used first, so their memory is wanted again sooner. */
  @Test
  void highestPages_goFirst() {
    allocators.slackPercent = 0;
    PageAllocator pages = allocators.open();
    leaveHoles(pages, 400, 200 * KIB);
    PageIndex index = LockedHeap.of(open.getFirst().span()).pages;
    long[] before = discardedByPage(index);
    open.add(buffer(pages, 4 * MIB)); // 16 MiB go
    long[] after = discardedByPage(index);
    int lowest = 0;
    while (lowest < after.length && before[lowest] == after[lowest]) {
      lowest++;
    }
    assertThat(lowest).isBetween(after.length / 2, after.length - 2);
    for (int i = lowest + 1; i < after.length - 1; i++) {
      assertThat(after[i]).as("page %d", i).isGreaterThan(800 * KIB);
    }
    closeAll(pages);
  }

  /** While a thread waited for its turn to give holes back, say: it tries again. */
  @Test
  void roomInTheBudget_thatHasComeSince_isWorthAnotherAttempt() {
    allocators.budget = Budget.limitedTo("test", 20 * MIB);
    PageAllocator pages = allocators.open();
    open.add(buffer(pages, 16 * MIB));
    PageState state = pages.state();
    Slack slack = new Slack(state, state.heaps, state.racks, 0);
    assertThat(slack.giveWayFor(6 * MIB)).as("neither room nor holes").isFalse();
    assertThat(slack.giveWayFor(4 * MIB)).isTrue();
    assertThat(slack.giveWayFor(256 * MIB)).as("beyond the capacity").isFalse();
    closeAll(pages);
  }

  // ---- helpers ----

  /** Every second one of so many buffers is closed again. */
  private void leaveHoles(PageAllocator pages, int count, long sizeBytes) {
    closeEverySecond(buffers(pages, count, sizeBytes));
  }

  private static List<PageBuffer> buffers(PageAllocator pages, int count, long sizeBytes) {
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(buffer(pages, sizeBytes));
    }
    return buffers;
  }

  private void closeEverySecond(List<PageBuffer> buffers) {
    for (int i = 0; i < buffers.size(); i++) {
      if (i % 2 == 0) {
        open.add(buffers.get(i));
      } else {
        buffers.get(i).close();
      }
    }
  }

  private static PageBuffer buffer(PageAllocator pages, long sizeBytes) {
    return requireNonNull(pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED));
  }

  private static long discardedBytes(LockedHeap heap) {
    long sizeBytes = 0;
    for (long each : discardedByPage(heap.pages)) {
      sizeBytes += each;
    }
    return sizeBytes;
  }

  private static long[] discardedByPage(PageIndex index) {
    long[] sizesBytes = new long[index.count()];
    HeapPage page = index.first();
    for (int i = 0; page != null; i++) {
      sizesBytes[i] = page.discardedBytes();
      page = index.next(page);
    }
    return sizesBytes;
  }

  private void closeAll(PageAllocator pages) {
    pages.state().verify();
    open.forEach(PageBuffer::close);
    open.clear();
    assertThat(pages.usedBytes()).isZero();
  }
}
