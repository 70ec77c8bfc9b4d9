package dev.arenal.page.granule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.page.granule.RangeCache.Hit;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cached granules against an array of what each of them came back with. */
final class RangeCacheTest {
  private static final int NOT_CACHED = -2;

  /** The model of the cache: for each granule the page that it came back with, and its owner. */
  private static final class Model {
    final int[] firsts;
    final int[] owners;

    Model(int granuleCount) {
      firsts = new int[granuleCount];
      owners = new int[granuleCount];
      Arrays.fill(firsts, NOT_CACHED);
    }

    boolean isCached(int granule) {
      return granule < firsts.length && firsts[granule] != NOT_CACHED;
    }

    int count(int from, boolean cached) {
      int at = from;
      while (at < firsts.length && isCached(at) == cached) {
        at++;
      }
      return at - from;
    }

    int total() {
      return (int) Arrays.stream(firsts).filter(first -> first != NOT_CACHED).count();
    }

    /** A page of that very size, and not a part of a longer one. */
    Hit hit(int from, int count, int owner) {
      for (int i = from; i < from + count; i++) {
        if (firsts[i] != from) {
          return Hit.L3;
        }
      }
      int end = from + count;
      boolean goesOn = isCached(end) && firsts[end] == from;
      return goesOn ? Hit.L3 : owners[from] == owner ? Hit.L1 : Hit.L2;
    }
  }

  /** Within a section of the books, at its end, and over three. */
  @ParameterizedTest
  @ValueSource(ints = {5, 64, 1023, 1024, 2500})
  void drawnPages_agreeWithTheModel(int granuleCount) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("RangeCache", granuleCount));
    RangeCache cache = new RangeCache(granuleCount);
    Model model = new Model(granuleCount);
    for (int round = 0; round < 3000; round++) {
      int from = random.nextInt(granuleCount);
      boolean cached = model.isCached(from);
      int most = random.nextInt(10) == 0 ? granuleCount : 8;
      int count = 1 + random.nextInt(Math.min(most, model.count(from, cached)));
      if (!cached) {
        int owner = random.nextInt(3);
        cache.prepare(from, count);
        cache.add(from, count, owner);
        Arrays.fill(model.firsts, from, from + count, from);
        Arrays.fill(model.owners, from, from + count, owner);
      } else {
        take(cache, model, from, count, random);
      }
      compare(cache, model, random.nextInt(granuleCount), 1 + random.nextInt(8));
    }
    cache.verify();
  }

  private static void take(
      RangeCache cache, Model model, int from, int count, SplittableRandom random) {
    int first = model.firsts[from] >= 0 ? model.firsts[from] : from;
    // As often as not what came back as one page.
    if (random.nextBoolean() && first <= from && model.count(first, true) > 0) {
      int end = first;
      while (model.isCached(end) && model.firsts[end] == first) {
        end++;
      }
      if (end > first) {
        from = first;
        count = end - first;
      }
    }
    int owner = random.nextInt(3);
    assertThat(cache.hit(from, count, owner))
        .as(Seeds.hint())
        .isEqualTo(model.hit(from, count, owner));
    cache.remove(from, count);
    if (random.nextInt(4) == 0) {
      cache.add(from, count); // as if nothing had been: the model stays
      assertThat(cache.hit(from, count, owner)).isEqualTo(model.hit(from, count, owner));
    } else {
      Arrays.fill(model.firsts, from, from + count, NOT_CACHED);
    }
  }

  private static void compare(RangeCache cache, Model model, int at, int length) {
    assertThat(cache.totalGranules()).as(Seeds.hint()).isEqualTo(model.total());
    int next = at + model.count(at, false);
    boolean isAny = next < model.firsts.length;
    assertThat(cache.firstCached(at)).as(Seeds.hint()).isEqualTo(isAny ? next : GranuleRanges.NONE);
    if (isAny) {
      assertThat(cache.cachedCount(next)).as(Seeds.hint()).isEqualTo(model.count(next, true));
    }
    int lowest = GranuleRanges.NONE;
    int highest = GranuleRanges.NONE;
    int start = model.count(0, false);
    while (start < model.firsts.length) {
      int count = model.count(start, true);
      if (count >= length) {
        lowest = lowest == GranuleRanges.NONE ? start : lowest;
        highest = start + count - length; // the end of the highest range
      }
      start += count;
      start += model.count(start, false);
    }
    assertThat(cache.placeFor(PageKind.SMALL, length)).as(Seeds.hint()).isEqualTo(lowest);
    assertThat(cache.placeFor(PageKind.MEDIUM, length)).as(Seeds.hint()).isEqualTo(highest);
    assertThat(cache.placeFor(PageKind.LARGE, length)).as(Seeds.hint()).isEqualTo(highest);
  }

  /** A page that ends where the next one begins is the page that it was, and no part of it. */
  @Test
  void pageNextToAnother_isAHit_andAPartOfItIsNot() {
    RangeCache cache = new RangeCache(4096);
    cache.prepare(0, 4096);
    cache.add(1020, 4, 7); // to the end of a section of the books
    cache.add(1024, 4, 8);
    assertThat(cache.hit(1020, 4, 7)).isEqualTo(Hit.L1);
    assertThat(cache.hit(1020, 4, 8)).isEqualTo(Hit.L2);
    assertThat(cache.hit(1020, 3, 7)).isEqualTo(Hit.L3);
    assertThat(cache.hit(1021, 3, 7)).isEqualTo(Hit.L3);
    assertThat(cache.hit(1020, 8, 7)).isEqualTo(Hit.L3);
    assertThat(cache.hit(1024, 4, RangeCache.NO_OWNER)).isEqualTo(Hit.L2);
    cache.remove(1024, 4);
    assertThat(cache.hit(1020, 4, 7)).isEqualTo(Hit.L1);
  }
}
