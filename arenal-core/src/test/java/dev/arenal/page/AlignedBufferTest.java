package dev.arenal.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers whose address is a multiple of a given number. */
final class AlignedBufferTest {
  private static final long MIB = 1 << 20;

  private static PageAllocator open(boolean hasMagazines) {
    return PageAllocator.builder("test")
        .capacityBytes(512 * MIB)
        .zeroed(false)
        .magazines(hasMagazines)
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 64",
    "1, 512",
    "100, 128",
    "512, 512",
    "1000, 512",
    "1000, 4096",
    "4096, 4096",
    "5000, 2048",
    "8000, 8192",
    "5000, 16384",
    "20000, 4096",
    "65536, 512",
    "65536, 65536",
    "200000, 262144",
    "300000, 4096",
    "300000, 65536",
    "300000, 262144",
    "1000, 2097152",
    "300000, 524288",
    "3000000, 2097152",
    "12000000, 4096"
  })
  void buffers_areAlignedAndApart_whateverLiesBetweenThem(long sizeBytes, long alignmentBytes) {
    for (boolean hasMagazines : new boolean[] {true, false}) {
      try (PageAllocator pages = open(hasMagazines)) {
        List<PageBuffer> others = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
          List<PageBuffer> buffers = new ArrayList<>();
          for (int i = 0; i < 8; i++) {
            others.add(pages.allocate(sizeBytes / 3 + 17L * round, PageAge.SHORT_LIVED));
            PageBuffer buffer = pages.allocate(sizeBytes, alignmentBytes, PageAge.SHORT_LIVED);
            assertThat(buffer.segment().address() % alignmentBytes).isZero();
            assertThat(buffer.segment().byteSize()).isEqualTo(sizeBytes);
            buffers.add(buffer);
          }
          pages.state().verify();
          List<PageBuffer> all = new ArrayList<>(others);
          all.addAll(buffers);
          assertApart(all);
          buffers.forEach(PageBuffer::close);
          pages.state().verify();
        }
        others.forEach(PageBuffer::close);
        assertThat(pages.usedBytes()).isZero();
      }
    }
  }

  private static void assertApart(List<PageBuffer> buffers) {
    buffers.sort(Comparator.comparingLong(buffer -> buffer.segment().address()));
    long end = 0;
    for (PageBuffer buffer : buffers) {
      if (buffer.sizeBytes() > 0) {
        assertThat(buffer.segment().address()).isGreaterThanOrEqualTo(end);
        end = buffer.segment().address() + buffer.sizeBytes();
      }
    }
  }

  /** A hole that was an aligned buffer is one again, although one that fits anywhere is longer. */
  @ParameterizedTest
  @CsvSource({"65536, 4096", "65536, 65536", "500000, 65536"})
  void alignedHoles_areFilledAgain(long sizeBytes, long alignmentBytes) {
    try (PageAllocator pages = open(false)) {
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        buffers.add(pages.allocate(sizeBytes, alignmentBytes, PageAge.SHORT_LIVED));
        buffers.add(pages.allocate(9000 + i, PageAge.SHORT_LIVED));
      }
      long committedBytes = pages.committedBytes();
      for (int i = 0; i < 400; i += 2) {
        buffers.get(i).close();
        buffers.set(i, pages.allocate(sizeBytes, alignmentBytes, PageAge.SHORT_LIVED));
      }
      assertThat(pages.committedBytes()).isLessThanOrEqualTo(committedBytes + 2 * MIB);
      pages.state().verify();
      buffers.forEach(PageBuffer::close);
    }
  }

  /** Many pages have a hole of that size that has no aligned place, and the last one has one. */
  @Test
  void alignedPlace_isFoundInAnyPage_beforeARequestFails() {
    long sizeBytes = MIB / 8;
    try (PageAllocator pages =
        PageAllocator.builder("test").capacityBytes(40 * MIB).zeroed(false).build()) {
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 320; i++) {
        buffers.add(pages.allocate(sizeBytes));
      }
      assertThat(pages.tryAllocate(sizeBytes)).as("all of the capacity is used").isNull();
      buffers.sort(Comparator.comparingLong(buffer -> buffer.segment().address()));
      for (int i = 0; i < 320; i += 16) {
        int first = i < 304 ? i + 1 : i + 2; // the second of each page, and of the last the third
        assertThat(buffers.get(i).segment().address() % (2 * MIB)).isZero();
        buffers.get(first).close();
        buffers.get(first + 1).close();
      }
      PageBuffer buffer = requireNonNull(pages.tryAllocate(2 * sizeBytes, 2 * sizeBytes));
      assertThat(buffer.segment().address()).isEqualTo(buffers.get(306).address);
      assertThat(pages.tryAllocate(2 * sizeBytes, 2 * sizeBytes)).isNull();
      pages.state().verify();
      buffer.close();
      buffers.stream().filter(open -> !open.isClosed).forEach(PageBuffer::close);
    }
  }

  /** Up to 8 KiB a buffer takes no more than its size, in whole multiples of the alignment. */
  @Test
  void smallOnes_wasteNothing() {
    try (PageAllocator pages = open(true)) {
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        buffers.add(pages.allocate(4096, 4096, PageAge.SHORT_LIVED));
      }
      assertThat(pages.committedBytes()).isLessThanOrEqualTo(45 * MIB); // of 39.06
      buffers.forEach(PageBuffer::close);
    }
  }

  /** It needs a page of its own. */
  @Test
  void noBytes_mayBeAlignedToMuch() {
    try (PageAllocator pages = open(true)) {
      PageBuffer buffer = pages.allocate(0, MIB, PageAge.SHORT_LIVED);
      assertThat(buffer.segment().byteSize()).isZero();
      assertThat(buffer.segment().address() % MIB).isZero();
      buffer.close();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 3, 4097, 4 << 20, Long.MIN_VALUE, Long.MAX_VALUE})
  void alignmentThatIsNone_isRefused(long alignmentBytes) {
    try (PageAllocator pages = open(true)) {
      assertThatThrownBy(() -> pages.allocate(100, alignmentBytes, PageAge.SHORT_LIVED))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "alignment is not possible: allocator=test, alignmentBytes="
                  + alignmentBytes
                  + " (expected a power of two from 1 to 2097152)");
      assertThat(pages.usedBytes()).isZero();
    }
  }
}
