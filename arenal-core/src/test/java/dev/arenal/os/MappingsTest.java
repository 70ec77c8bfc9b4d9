package dev.arenal.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The count is what the kernel has, or a little more. */
final class MappingsTest {
  private static final long PAGE = 4096;
  private static final long BASE = 1L << 40;

  @Test
  void granuleInTheMiddle_isTwoEdgesMore_untilItGoes() {
    Mappings mappings = new Mappings(100, PAGE);
    assertThat(mappings.reserved(BASE)).isTrue();
    assertThat(mappings.allow(BASE + 8 * PAGE, PAGE)).isTrue();
    assertThat(mappings.count()).isEqualTo(3);
    assertThat(mappings.allow(BASE + 9 * PAGE, 3 * PAGE)).as("grows").isTrue();
    assertThat(mappings.count()).isEqualTo(3);
    assertThat(mappings.revoke(BASE + 10 * PAGE, PAGE)).as("a hole").isTrue();
    assertThat(mappings.count()).isEqualTo(5);
    assertThat(mappings.revoke(BASE + 8 * PAGE, 2 * PAGE)).isTrue();
    assertThat(mappings.revoke(BASE + 11 * PAGE, PAGE)).isTrue();
    assertThat(mappings.count()).isEqualTo(1);
    mappings.released(BASE, 64 * PAGE);
    assertThat(mappings.count()).isZero();
  }

  @Test
  void reservationThatIsReleased_leavesTheOneBehindIt() {
    Mappings mappings = new Mappings(100, PAGE);
    assertThat(mappings.reserved(BASE)).isTrue();
    assertThat(mappings.reserved(BASE + 64 * PAGE)).isTrue();
    mappings.released(BASE, 64 * PAGE);
    assertThat(mappings.count()).isEqualTo(1);
    mappings.released(BASE + 64 * PAGE, 64 * PAGE);
    assertThat(mappings.count()).isZero();
  }

  /** The kernel does not join what was touched apart. */
  @Test
  void gapThatIsFilled_leavesASeam() {
    Mappings mappings = new Mappings(100, PAGE);
    assertThat(mappings.allow(BASE, PAGE)).isTrue();
    assertThat(mappings.allow(BASE + 2 * PAGE, PAGE)).isTrue();
    assertThat(mappings.count()).isEqualTo(4);
    assertThat(mappings.allow(BASE + PAGE, PAGE)).isTrue();
    assertThat(mappings)
        .hasToString(edges(3, BASE | 1, (BASE + 2 * PAGE) | 2, BASE + 3 * PAGE | 1));
    assertThat(mappings.revoke(BASE, 3 * PAGE)).isTrue();
    assertThat(mappings.count()).isZero();
  }

  @Test
  void limit_refusesWhatAdds_andNothingElse() {
    Mappings mappings = new Mappings(5, PAGE);
    assertThat(mappings.reserved(BASE)).isTrue();
    assertThat(mappings.allow(BASE + 10 * PAGE, 3 * PAGE)).isTrue();
    assertThat(mappings.allow(BASE + 20 * PAGE, PAGE)).isTrue();
    String before = mappings.toString();
    assertThat(mappings.reserved(2 * BASE)).isFalse();
    assertThat(mappings.allow(BASE + 30 * PAGE, PAGE)).isFalse();
    assertThat(mappings.revoke(BASE + 11 * PAGE, PAGE)).isFalse();
    assertThat(mappings.split(BASE + 40 * PAGE, PAGE)).isFalse();
    assertThat(mappings).hasToString(before);
    assertThat(mappings.allow(BASE + 13 * PAGE, 2 * PAGE)).as("grows").isTrue();
    assertThat(mappings.revoke(BASE + 20 * PAGE, PAGE)).isTrue();
    assertThat(mappings.reserved(2 * BASE)).isTrue();
  }

  @Test
  void whatTheKernelRefuses_isTakenBack() {
    Mappings mappings = new Mappings(100, PAGE);
    assertThat(mappings.allow(BASE, 4 * PAGE)).isTrue();
    String before = mappings.toString();
    assertThat(mappings.allow(BASE + 8 * PAGE, PAGE)).isTrue();
    mappings.undo(BASE + 8 * PAGE, PAGE);
    assertThat(mappings.allow(BASE + 4 * PAGE, PAGE)).isTrue();
    mappings.undo(BASE + 4 * PAGE, PAGE);
    assertThat(mappings.revoke(BASE + PAGE, PAGE)).isTrue();
    mappings.undo(BASE + PAGE, PAGE);
    assertThat(mappings).hasToString(before);
  }

  /** Memory that was moved there is a mapping of its own before and after. */
  @Test
  void seamsAtTheEndsOfWhatTheKernelRefuses_stay() {
    Mappings mappings = new Mappings(100, PAGE);
    assertThat(mappings.allow(BASE, 32 * PAGE)).isTrue();
    assertThat(mappings.split(BASE + 8 * PAGE, 8 * PAGE)).isTrue();
    String before = mappings.toString();
    assertThat(mappings.count()).isEqualTo(4);
    assertThat(mappings.revoke(BASE + 8 * PAGE, 8 * PAGE)).isTrue();
    mappings.undo(BASE + 8 * PAGE, 8 * PAGE);
    assertThat(mappings).hasToString(before);
    assertThat(mappings.revoke(BASE + 4 * PAGE, 4 * PAGE)).isTrue();
    mappings.undo(BASE + 4 * PAGE, 4 * PAGE);
    assertThat(mappings).hasToString(before);
    assertThat(mappings.revoke(BASE + 8 * PAGE, 8 * PAGE)).isTrue();
    assertThat(mappings.revoke(BASE, 8 * PAGE)).as("both sides").isTrue();
    assertThat(mappings.revoke(BASE + 16 * PAGE, 16 * PAGE)).isTrue();
    assertThat(mappings.count()).isZero();
  }

  @Test
  void tenThousandEdges_comeAndGo() {
    Mappings mappings = new Mappings(1 << 20, PAGE);
    for (int i = 0; i < 10_000; i++) {
      assertThat(mappings.allow(BASE + 2L * i * PAGE, PAGE)).isTrue();
    }
    assertThat(mappings.count()).isEqualTo(20_000);
    for (int i = 0; i < 10_000; i += 2) {
      assertThat(mappings.revoke(BASE + 2L * i * PAGE, PAGE)).isTrue();
    }
    assertThat(mappings.count()).isEqualTo(10_000);
    mappings.released(BASE, 1L << 40);
    assertThat(mappings.count()).isZero();
  }

  /** Drawn commits, touches and returns on the real kernel. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void count_isThatOfTheKernelOrALittleMore(long seed) throws IOException {
    assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "the kernel tells its mappings");
    OperatingSystem os = OperatingSystem.current();
    long pageBytes = os.pageSizeBytes();
    long pageCount = 512;
    long before = os.mappingCount();
    long address = os.reserve(pageCount * pageBytes, false);
    boolean[] isAccessible = new boolean[512];
    SplittableRandom random = new SplittableRandom(seed);
    for (int step = 0; step < 2000; step++) {
      int from = random.nextInt(isAccessible.length);
      int to = Math.min(isAccessible.length, from + 1 + random.nextInt(8));
      boolean allow = random.nextBoolean();
      for (int at = from; at < to; ) {
        int end = at;
        while (end < to && isAccessible[end] == isAccessible[at]) {
          end++;
        }
        if (isAccessible[at] != allow) {
          long start = address + at * pageBytes;
          long sizeBytes = (end - at) * pageBytes;
          if (allow) {
            assertThat(os.allow(start, sizeBytes)).isZero();
            if (random.nextInt(4) > 0) {
              os.touch(start, sizeBytes);
            }
          } else {
            assertThat(os.revoke(start, sizeBytes)).isZero();
          }
          Arrays.fill(isAccessible, at, end, allow);
        }
        at = end;
      }
      if (step % 100 == 99) {
        long counted = os.mappingCount() - before;
        long kernels = mappingsIn(address, pageCount * pageBytes);
        assertThat(counted).as("step %d", step).isBetween(kernels - 1, kernels + kernels / 2 + 2);
      }
    }
    assertThat(os.release(address, pageCount * pageBytes)).isZero();
    assertThat(os.mappingCount()).isEqualTo(before);
  }

  private static long mappingsIn(long address, long sizeBytes) throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines
          .filter(line -> {
            String[] ends = line.substring(0, line.indexOf(' ')).split("-", 2);
            return Long.parseUnsignedLong(ends[0], 16) < address + sizeBytes
                && Long.parseUnsignedLong(ends[1], 16) > address;
          })
          .count();
    }
  }

  private static String edges(int count, long... edges) {
    return "Mappings[count=" + count + ", edges=" + Arrays.toString(edges) + "]";
  }
}
