package dev.arenal.os;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One mapping of a {@link SimulatedOperatingSystem}: the state of each of its pages. */
final class SimulatedMapping {
  /** States are bits, so that a precondition can name several. */
  static final byte RESERVED = 1;

  static final byte LAZY = 2;
  static final byte BACKED = 4;

  /** Accessible because the kernel refused to take it back: may be allowed again. */
  static final byte RELUCTANT = 8;

  /** Given to another owner by a move that went wrong. */
  static final byte FOREIGN = 16;

  /** Released, while a part of the mapping is foreign. */
  static final byte RELEASED = 32;

  static final byte ACCESSIBLE = LAZY | BACKED | RELUCTANT;

  final long address;
  final long sizeBytes;
  private final long pageBytes;
  private final byte[] pages;

  /** Of each page; null where it has had none. */
  private final @Nullable String[] names;

  SimulatedMapping(long address, long sizeBytes, long pageBytes, byte state) {
    this.address = address;
    this.sizeBytes = sizeBytes;
    this.pageBytes = pageBytes;
    this.pages = new byte[Math.toIntExact(sizeBytes / pageBytes)];
    Arrays.fill(pages, state);
    this.names = new @Nullable String[pages.length];
  }

  boolean contains(long from, long rangeBytes) {
    return from >= address && from - address <= sizeBytes - rangeBytes;
  }

  /** The first page of the range whose state is not one of the expected, in words; else empty. */
  String complaintUnless(long from, long rangeBytes, int expected) {
    int first = index(from);
    for (int page = first; page < first + rangeBytes / pageBytes; page++) {
      if ((pages[page] & expected) == 0) {
        return "page=0x"
            + Long.toHexString(address + page * pageBytes)
            + " is "
            + word(pages[page]);
      }
    }
    return "";
  }

  void set(long from, long rangeBytes, byte state) {
    int first = index(from);
    Arrays.fill(pages, first, first + (int) (rangeBytes / pageBytes), state);
  }

  /** Names a range. */
  void name(long from, long rangeBytes, String name) {
    int first = index(from);
    Arrays.fill(names, first, first + (int) (rangeBytes / pageBytes), name);
  }

  String name(long address) {
    return nameOf(index(address));
  }

  private String nameOf(int page) {
    return Objects.requireNonNullElse(names[page], "");
  }

  /** How many mappings a kernel needs that joins neighbours of equal access and name. */
  int joinedCount() {
    int count = 1;
    for (int page = 1; page < pages.length; page++) {
      boolean isSame = (pages[page] & ACCESSIBLE) == 0 == ((pages[page - 1] & ACCESSIBLE) == 0);
      count += isSame && nameOf(page).equals(nameOf(page - 1)) ? 0 : 1;
    }
    return count;
  }

  /** Names of the pages of a range, each once. */
  Set<String> names(long from, long rangeBytes) {
    int first = index(from);
    return IntStream.range(first, first + (int) (rangeBytes / pageBytes))
        .mapToObj(this::nameOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Bytes in pages of a state. */
  long bytesIn(byte state) {
    long bytes = 0;
    for (byte page : pages) {
      bytes += page == state ? pageBytes : 0;
    }
    return bytes;
  }

  /** Whether no page is left that is the mapping's own. */
  boolean isGone() {
    return bytesIn(RELEASED) + bytesIn(FOREIGN) == sizeBytes;
  }

  /** Releases all but what has been: those addresses may be another thread's. */
  void releaseRest(OperatingSystem os) {
    for (int page = 0; page < pages.length; ) {
      int first = page;
      while (page < pages.length && pages[page] != RELEASED) {
        page++;
      }
      if (page > first) {
        var _ = os.release(address + first * pageBytes, (page - first) * pageBytes);
      }
      page++;
    }
  }

  private static String word(byte state) {
    return switch (state) {
      case RESERVED -> "reserved";
      case LAZY -> "lazy";
      case BACKED -> "backed";
      case FOREIGN -> "foreign";
      case RELEASED -> "released";
      default -> "reluctant";
    };
  }

  private int index(long from) {
    return (int) ((from - address) / pageBytes);
  }
}
