package dev.arenal.page.span;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.arenal.elastic.Seeds;
import dev.arenal.page.granule.MaxTree;
import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages by address, and those of them that have room, against a search through all of them. */
final class PageIndexTest {
  private final PaperPages paper = new PaperPages();
  private final PageIndex index = new PageIndex(true);
  private final List<HeapPage> pages = new ArrayList<>();
  private final BestHole hole = new BestHole();

  /** INV-PAGE-3. */
  @ParameterizedTest
  @ValueSource(ints = {5, 8, 9, 40})
  void pages_areThoseOfASortedList(int mostPages) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("PageIndex", mostPages));
    for (int round = 0; round < 2000; round++) {
      int kind = random.nextInt(10);
      if (pages.isEmpty() || (kind == 0 && pages.size() < mostPages)) {
        add(random);
      } else if (kind == 1 && pages.size() > mostPages / 2) {
        HeapPage page = pages.remove(random.nextInt(pages.size()));
        index.remove(page);
        assertThat(page.position).isEqualTo(-1);
      } else {
        change(pages.get(random.nextInt(pages.size())), random);
      }
      index.verify();
      assertThat(index.count()).as(Seeds.hint()).isEqualTo(pages.size());
      HeapPage up = index.first();
      for (HeapPage page : pages) {
        assertThat(up).as(Seeds.hint()).isSameAs(page);
        up = index.next(page);
      }
      assertThat(up).isNull();
      HeapPage down = index.last();
      for (HeapPage page : pages.reversed()) {
        assertThat(down).as(Seeds.hint()).isSameAs(page);
        down = index.previous(page);
      }
      assertThat(down).isNull();
      compareFind(random.nextInt(1, 600), random.nextInt(1, 5), random.nextBoolean());
    }
  }

  private void add(SplittableRandom random) {
    int granule = random.nextInt(1000);
    for (HeapPage page : pages) {
      if (page.memory.firstGranule == granule) {
        return;
      }
    }
    PageMemory memory = PaperPages.memory(PageKind.MEDIUM, granule, 1, true);
    HeapPage page =
        new HeapPage(paper, memory, HeapPage.MEDIUM_UNIT_BYTES, PaperPages.OS_PAGE_BYTES);
    index.add(page);
    pages.add(page);
    pages.sort(Comparator.comparingLong(each -> each.memory.address));
  }

  /** Some range becomes used, or free, or discarded. */
  private void change(HeapPage page, SplittableRandom random) {
    int from = random.nextInt(page.unitCount);
    int length = random.nextInt(1, 1 + Math.min(page.unitCount - from, 200));
    for (int unit = from; unit < from + length; unit++) {
      boolean isUsed = Bits.get(page.used, unit);
      if (isUsed && random.nextInt(20) != 0) {
        page.give(unit, unit + 1);
      } else if (!isUsed && random.nextInt(3) != 0) {
        page.take(unit, unit + 1);
        if (page.isDiscarded(unit, unit + 1)) {
          page.markRecommitted(unit, unit + 1);
        } else if (random.nextInt(40) == 0) {
          page.markDiscarded(unit, unit + 1);
          page.give(unit, unit + 1);
        }
      }
    }
    index.update(page);
  }

  private void compareFind(int units, int mostPages, boolean mustBeCommitted) {
    if (mustBeCommitted) {
      compareFindCommitted(units);
    } else {
      compareFindFree(units, mostPages);
    }
  }

  private void compareFindFree(int units, int mostPages) {
    BestHole expected = new BestHole();
    expected.clear();
    int foundCount = 0;
    for (HeapPage page : pages) {
      if (longest(page, false) < units) {
        continue;
      }
      page.offerFree(units, expected);
      if (++foundCount == mostPages || expected.isPerfect(units)) {
        break;
      }
    }
    for (HeapPage page : pages) {
      index.update(page); // the comparison has made their bounds exact
    }
    boolean isFound = index.findFree(units, mostPages, hole);
    assertThat(isFound).as(Seeds.hint()).isEqualTo(foundCount > 0);
    assertThat(hole.page).as(Seeds.hint()).isSameAs(expected.page);
    if (isFound) {
      assertThat(hole.from).as(Seeds.hint()).isEqualTo(expected.from);
    }
    int longest = pages.stream().mapToInt(page -> longest(page, false)).max().orElse(0);
    assertThat(index.longestFree()).as(Seeds.hint()).isGreaterThanOrEqualTo(longest);
    if (!isFound) { // every page that seemed to have room was looked at
      assertThat(index.longestFree()).isLessThan(units);
    }
  }

  /** Of the class of the shortest that there are; or, past some too short, the shortest beyond. */
  private void compareFindCommitted(int units) {
    boolean isFound = index.findCommitted(units, hole);
    int leastClass = HoleClasses.COUNT;
    int sureClass = HoleClasses.COUNT;
    for (HeapPage page : pages) {
      for (int length : committedLengths(page)) {
        if (length >= units) {
          leastClass = Math.min(leastClass, HoleClasses.of(length));
        }
        if (HoleClasses.of(length) >= HoleClasses.surely(units)) {
          sureClass = Math.min(sureClass, HoleClasses.of(length));
        }
      }
    }
    int longest = pages.stream().mapToInt(page -> longest(page, true)).max().orElse(0);
    assertThat(index.longestCommitted()).as(Seeds.hint()).isGreaterThanOrEqualTo(longest);
    if (!isFound) {
      assertThat(hole.page).isNull();
      assertThat(sureClass).as(Seeds.hint()).isEqualTo(HoleClasses.COUNT);
      return;
    }
    HeapPage page = requireNonNull(hole.page);
    int foundClass = HoleClasses.of(hole.length());
    assertThat(hole.length()).as(Seeds.hint()).isGreaterThanOrEqualTo(units);
    assertThat(committedLengths(page)).as(Seeds.hint()).contains(hole.length());
    assertThat(foundClass).as(Seeds.hint()).isIn(leastClass, sureClass);
    for (HeapPage lower : pages.subList(0, pages.indexOf(page))) {
      assertThat(committedLengths(lower))
          .as(Seeds.hint())
          .noneMatch(length -> length >= units && HoleClasses.of(length) == foundClass);
    }
  }

  private static List<Integer> committedLengths(HeapPage page) {
    List<Integer> lengths = new ArrayList<>();
    int length = 0;
    for (int i = 0; i <= page.unitCount; i++) {
      if (i < page.unitCount && !Bits.get(page.used, i) && !page.isDiscarded(i, i + 1)) {
        length++;
      } else if (length > 0) {
        lengths.add(length);
        length = 0;
      }
    }
    return lengths;
  }

  private static int longest(HeapPage page, boolean mustBeCommitted) {
    int longest = 0;
    int length = 0;
    for (int i = 0; i < page.unitCount; i++) {
      boolean isTaken = Bits.get(page.used, i) || (mustBeCommitted && page.isDiscarded(i, i + 1));
      length = isTaken ? 0 : length + 1;
      longest = Math.max(longest, length);
    }
    return longest;
  }

  /** So that high pages run empty. */
  @Test
  void lowestPagesWithRoom_areLookedAt_andNoOthers() {
    HeapPage high = page(30);
    HeapPage middle = page(20);
    HeapPage low = page(10);
    assertThat(find(10, 2)).isSameAs(low);
    low.take(0, 512);
    middle.take(0, 412); // 100 are free
    high.take(0, 502); // 10 are, which would fit better
    for (HeapPage page : pages) {
      hole.clear();
      page.offerFree(1, hole);
      index.update(page);
    }
    assertThat(find(10, 1)).isSameAs(middle);
    assertThat(find(10, 2)).isSameAs(high);
    assertThat(find(101, 2)).isNull();
    assertThat(index.longestFree()).isEqualTo(100);
  }

  /** However low the page of a longer one is. */
  @Test
  void shortestCommittedHole_isTaken_ofTheLowestPageThatHasOne() {
    HeapPage high = page(30);
    HeapPage middle = page(20);
    HeapPage low = page(10);
    middle.take(0, 412); // 100 are free
    high.take(0, 412);
    pages.forEach(index::update);
    assertThat(index.findCommitted(90, hole)).isTrue();
    assertThat(hole.page).isSameAs(middle);
    assertThat(hole.from).isEqualTo(412);
    assertThat(index.findCommitted(101, hole)).isTrue(); // 100 and 101 are one class
    assertThat(hole.page).isSameAs(low);
    assertThat(index.findCommitted(513, hole)).isFalse();
    middle.take(412, 512);
    middle.markDiscarded(412, 512);
    middle.give(412, 512);
    index.update(middle);
    assertThat(index.findCommitted(90, hole)).isTrue();
    assertThat(hole.page).isSameAs(high);
    hole.alignTo(128);
    assertThat(index.findCommitted(90, hole))
        .isTrue(); // no multiple of 128 has room in the other one
    assertThat(hole.page).isSameAs(low);
    hole.alignTo(1);
  }

  @Test
  void holeThatIsLongEnoughForCertain_isTaken_whereManyOfTheClassAreTooShort() {
    HeapPage high = page(30);
    high.take(0, 410); // 102 are free: the shortest of the next class
    for (int i = 0; i < 8; i++) {
      page(10 + i).take(0, 412); // 100 are, and 101 would be of the class
    }
    pages.forEach(index::update);
    assertThat(index.findCommitted(101, hole)).isTrue();
    assertThat(hole.page).isSameAs(high);
  }

  /** INV-PAGE-3. */
  @Test
  void verify_tellsAPageThatHasChangedUnnoticed() {
    HeapPage page = page(3);
    page.takeAll();
    assertThatThrownBy(index::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage("INV-PAGE-3 index is wrong at position=3: " + page);
    index.update(page);
    index.verify();
    page.take(0, 1); // which is taken already
    assertThatThrownBy(index::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessageStartingWith("INV-PAGE-1 used units are not those marked: " + page);
  }

  private @Nullable HeapPage find(int units, int mostPages) {
    boolean isFound = index.findFree(units, mostPages, hole);
    return isFound ? requireNonNull(hole.page) : null;
  }

  private HeapPage page(int granule) {
    PageMemory memory = PaperPages.memory(PageKind.MEDIUM, granule, 1, true);
    HeapPage page =
        new HeapPage(paper, memory, HeapPage.MEDIUM_UNIT_BYTES, PaperPages.OS_PAGE_BYTES);
    index.add(page);
    pages.add(page);
    return page;
  }

  /** As large as what the heap has, and not as all addresses: large pages come from their end. */
  @Test
  void pagesAtHighAddresses_needLittleJavaHeap() {
    HeapPage first = paper.smallPage(1 << 24, true);
    HeapPage below = paper.smallPage((1 << 24) - 1, true);
    HeapPage farBelow = paper.smallPage((1 << 24) - 1000, true);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    index.add(first);
    index.add(below);
    index.add(farBelow);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(256 << 10);
    index.verify();
    assertThat(index.first()).isSameAs(farBelow);
    assertThat(index.last()).isSameAs(first);
    assertThat(index.findFree(1, 1, hole)).isTrue();
    assertThat(hole.page).isSameAs(farBelow);
    index.remove(first);
    assertThat(index.last()).isSameAs(below);
    index.verify();
  }

  @Test
  void lastBelow_isTheHighestPageThere() {
    assertThat(index.lastBelow(Integer.MAX_VALUE)).isNull();
    HeapPage high = page(300);
    HeapPage low = page(200);
    assertThat(index.lastBelow(Integer.MAX_VALUE)).isSameAs(high);
    assertThat(index.lastBelow(301)).isSameAs(high);
    assertThat(index.lastBelow(300)).isSameAs(low);
    assertThat(index.lastBelow(201)).isSameAs(low);
    assertThat(index.lastBelow(200)).isNull();
    assertThat(index.lastBelow(0)).isNull();
  }

  // ---- the tree ----

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 16, 17, 100})
  void tree_findsTheFirstThatIsLargeEnough(int positionCount) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("MaxTree", positionCount));
    MaxTree tree = new MaxTree(Math.max(8, Integer.highestOneBit(2 * positionCount - 1)));
    int[] model = new int[positionCount];
    for (int i = 0; i < positionCount; i++) {
      model[i] = random.nextInt(100);
      tree.set(i, model[i]);
    }
    for (int round = 0; round < 2000; round++) {
      int from = random.nextInt(positionCount + 3);
      int least = random.nextInt(1, 102);
      int first = from;
      while (first < positionCount && model[first] < least) {
        first++;
      }
      assertThat(tree.first(from, least))
          .as("first(%d, %d) %s", from, least, Seeds.hint())
          .isEqualTo(first < positionCount ? first : -1);
      int position = random.nextInt(positionCount);
      model[position] = random.nextInt(round % 3 == 0 ? 10 : 101);
      tree.set(position, model[position]);
      assertThat(tree.get(position)).isEqualTo(model[position]);
      int max = 0;
      for (int value : model) {
        max = Math.max(max, value);
      }
      assertThat(tree.max()).as(Seeds.hint()).isEqualTo(max);
    }
    tree.verify();
    int before = random.nextInt(100);
    MaxTree larger = tree.enlarged(1024, before); // for pages that come
    larger.verify();
    for (int i = 0; i < positionCount; i++) {
      assertThat(tree.get(i)).isEqualTo(model[i]);
      assertThat(larger.get(before + i)).isEqualTo(model[i]);
    }
    int max = tree.max();
    assertThat(larger.max()).isEqualTo(max);
    int least = Math.max(1, max); // an empty position is found by a request for nothing
    int found = tree.first(0, least);
    assertThat(larger.first(0, least)).isEqualTo(found < 0 ? -1 : before + found);
    for (int i = 0; i < positionCount; i++) {
      tree.set(i, 0);
    }
    assertThat(tree.max()).isZero();
    assertThat(tree.first(0, 1)).isEqualTo(-1);
  }

  // ---- the tree of classes ----

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 16, 17, 100})
  void holeTree_findsTheFirstWithAClass(int positionCount) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("HoleTree", positionCount));
    HoleTree tree = new HoleTree(8).enlarged(128, 0);
    HoleCounts[] model = new HoleCounts[positionCount];
    for (int i = 0; i < positionCount; i++) {
      model[i] = new HoleCounts();
    }
    for (int round = 0; round < 2000; round++) {
      int changed = random.nextInt(positionCount);
      if (random.nextInt(3) == 0) {
        model[changed].clear();
        tree.clear(changed);
      } else {
        model[changed].add(random.nextInt(1, 3000));
        tree.set(changed, model[changed].present);
      }
      int holeClass = random.nextInt(HoleClasses.COUNT);
      int from = random.nextInt(positionCount + 3);
      int first = from;
      while (first < positionCount && !has(model[first], holeClass)) {
        first++;
      }
      assertThat(tree.first(from, holeClass))
          .as(Seeds.hint())
          .isEqualTo(first < positionCount ? first : HoleTree.NONE);
      int least = holeClass;
      while (least < HoleClasses.COUNT && tree.first(0, least) == HoleTree.NONE) {
        least++;
      }
      assertThat(tree.firstClass(holeClass)).as(Seeds.hint()).isEqualTo(least);
      assertThat(tree.has(changed, model[changed].present)).isTrue();
    }
    tree.verify();
    int before = random.nextInt(100);
    HoleTree larger = tree.enlarged(1024, before); // for pages that come
    larger.verify();
    assertThat(larger.longestBound()).isEqualTo(tree.longestBound());
    assertThat(larger.firstClass(0)).isEqualTo(tree.firstClass(0));
    for (int i = 0; i < positionCount; i++) {
      assertThat(tree.has(i, model[i].present)).isTrue();
      assertThat(larger.has(before + i, model[i].present)).isTrue();
      tree.clear(i);
    }
    assertThat(tree.longestBound()).isZero();
    assertThat(tree.firstClass(0)).isEqualTo(HoleClasses.COUNT);
    assertThat(tree.has(positionCount, null)).isTrue();
  }

  private static boolean has(HoleCounts counts, int holeClass) {
    return Bits.get(counts.present, holeClass);
  }
}
