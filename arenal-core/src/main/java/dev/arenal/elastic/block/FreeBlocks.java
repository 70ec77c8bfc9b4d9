package dev.arenal.elastic.block;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that an arena got back early, for reuse by the same arena: joined with their neighbours at
 * once, and in bins by size.
 *
 * <p>Small ones, of up to {@link SmallBins#MOST_BYTES} bytes, are ranges of bits in {@link
 * FreeWords} and entries in {@link SmallBins}; the bits of {@link LargeBlocks} are set as well, but
 * their size comes from a tree. All of it outside the blocks, in arrays of numbers: a program that
 * writes to a block it gave back damages its own data, never this. HotSpot keeps its free blocks in
 * themselves, in lists and an unbalanced tree, and does not coalesce.
 *
 * <p>INV-FREE-1: blocks are disjoint and not adjacent. INV-FREE-2: every block is in the bin of its
 * size. INV-FREE-3: addresses and sizes are multiples of 8. INV-FREE-4: see {@link FreeWords}.
 * Guarded by the owner of the arena.
 */
public final class FreeBlocks {
  public static final long NONE = 0;

  /** Says which of the blocks that fit are wanted. */
  @FunctionalInterface
  public interface Choice {
    /** Whether a range of a free block is. */
    boolean isChosen(long address, long sizeBytes);
  }

  private final LargeBlocks large = new LargeBlocks();
  private final FreeWords words = new FreeWords(large);
  private final SmallBins small = new SmallBins(words);

  /**
   * The only block there is, which needs no books; of size 0 if there is none, or more than one.
   */
  private long onlyStart;

  private long onlyBytes;
  private int blockCount;
  private long totalBytes;
  private long joinedBytes;

  public boolean isEmpty() {
    return blockCount == 0;
  }

  public int blockCount() {
    return blockCount;
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** Whether any byte of the range is in a free block. */
  public boolean overlaps(long address, long sizeBytes) {
    return onlyBytes == 0
        ? words.isAnyFree(address, sizeBytes)
        : address < onlyStart + onlyBytes && onlyStart < address + sizeBytes;
  }

  /** Size of the block that the last {@link #add} has made. */
  public long joinedBytes() {
    return joinedBytes;
  }

  /**
   * Adds a block, and joins it with its neighbours. What was just taken can be put back by this
   * without heap.
   *
   * @return the joined start; {@link #NONE} if any byte of it is in a free block, and nothing has
   *     changed then
   */
  public long add(long address, long sizeBytes) {
    assert ((address | sizeBytes) & 7) == 0 : "INV-FREE-3";
    if (blockCount == 0) {
      onlyStart = address;
      onlyBytes = sizeBytes;
      note(sizeBytes, sizeBytes, 0, 0);
      return address;
    }
    if (onlyBytes != 0) {
      if (overlaps(address, sizeBytes)) {
        return NONE;
      }
      enterOnly();
    }
    return enter(address, sizeBytes);
  }

  /** The only block comes into the books, before another one does, or a part of it is taken. */
  private void enterOnly() {
    long start = onlyStart;
    long sizeBytes = onlyBytes;
    onlyBytes = 0;
    try {
      var _ = enter(start, sizeBytes);
      totalBytes -= sizeBytes;
      blockCount--;
    } catch (OutOfMemoryError e) { // nothing has changed
      onlyBytes = sizeBytes;
      throw e;
    }
  }

  private long enter(long address, long sizeBytes) {
    small.prepare(1);
    int from = FreeWords.bitOf(address >>> 3);
    long[] section = words.section(address >>> 3);
    if (section == null
        || from < Long.SIZE
        || sizeBytes > Long.SIZE * 8
        || from + (sizeBytes >>> 3) + Long.SIZE > FreeWords.SECTION_WORDS) {
      return enterAnywhere(address, sizeBytes);
    }
    // The words around it, and the block itself, are in at most 64 bits each: no loops, no guesses.
    int count = (int) (sizeBytes >>> 3);
    int below = Long.numberOfLeadingZeros(~FreeWords.bitsFrom(section, from - Long.SIZE));
    int above = Long.numberOfTrailingZeros(~FreeWords.bitsFrom(section, from + count));
    if (below == Long.SIZE || above == Long.SIZE) {
      return enterAnywhere(address, sizeBytes);
    }
    if (!FreeWords.setClearBits(section, from, count)) {
      return NONE;
    }
    long start = address - ((long) below << 3);
    note(sizeBytes, (long) (below + count + above) << 3, below, above);
    small.push(start, joinedBytes);
    return start;
  }

  private void note(long addedBytes, long sizeBytes, long below, long above) {
    totalBytes += addedBytes;
    blockCount += 1 - (below == 0 ? 0 : 1) - (above == 0 ? 0 : 1);
    joinedBytes = sizeBytes;
  }

  private long enterAnywhere(long address, long sizeBytes) {
    if (words.isAnyFree(address, sizeBytes)) {
      return NONE;
    }
    long start = words.startOfFree(address);
    long blockEnd = address + sizeBytes;
    long end = words.endOfFree(blockEnd);
    int before = address - start > SmallBins.MOST_BYTES ? large.floor(address) : 0;
    int after = end - blockEnd > SmallBins.MOST_BYTES ? large.floor(blockEnd) : 0;
    start = before == 0 ? start : large.start(before);
    end = after == 0 ? end : large.end(after);
    long joined = end - start;
    boolean isNewLarge = joined > SmallBins.MOST_BYTES && before == 0 && after == 0;
    words.prepare(address, sizeBytes);
    if (isNewLarge) {
      large.prepare();
    }
    words.set(address, sizeBytes);
    note(sizeBytes, joined, address - start, end - blockEnd);
    if (isNewLarge) {
      large.add(start, joined);
    } else if (before != 0) {
      if (after != 0) {
        large.remove(after);
      }
      large.resize(before, start, joined);
    } else if (after != 0) {
      large.resize(after, start, joined);
    } else {
      small.push(start, joined);
    }
    return start;
  }

  /** Takes {@code sizeBytes} aligned bytes out of a block; {@link #NONE} if no block has them. */
  public long take(long sizeBytes, long alignmentBytes) {
    if (onlyBytes != 0) {
      if (onlyBytes == sizeBytes && (onlyStart & (alignmentBytes - 1)) == 0) {
        onlyBytes = 0;
        totalBytes = 0;
        blockCount = 0;
        return onlyStart;
      }
      enterOnly();
    }
    small.prepare(SmallBins.MOST_PUSHES); // for the ends of a block, and to put back what is taken
    if (sizeBytes <= SmallBins.MOST_BYTES) {
      int bin = small.nextBin((int) (sizeBytes >>> 3));
      while (bin >= 0) {
        long start =
            alignmentBytes == 8
                ? small.popFirst(bin, sizeBytes)
                : small.pop(bin, sizeBytes, alignmentBytes);
        if (start != NONE) {
          return cutSmall(start, (long) bin << 3, sizeBytes, alignmentBytes);
        }
        bin = small.nextBin(bin + 1);
      }
    }
    return takeLarge(sizeBytes, alignmentBytes, null);
  }

  /** Of a block that is in no bin any more. */
  private long cutSmall(long start, long blockBytes, long sizeBytes, long alignmentBytes) {
    long address = start;
    totalBytes -= sizeBytes;
    blockCount--;
    if (alignmentBytes != 8) { // else its words have been taken with it
      address += -start & (alignmentBytes - 1);
      words.clear(address, sizeBytes);
      keep(start, address - start);
    }
    keep(address + sizeBytes, start + blockBytes - address - sizeBytes);
    return address;
  }

  /** Keeps what has been left over of a block. */
  private void keep(long address, long sizeBytes) {
    if (sizeBytes > SmallBins.MOST_BYTES) {
      large.add(address, sizeBytes);
    } else if (sizeBytes > 0) {
      small.push(address, sizeBytes);
    }
    blockCount += sizeBytes > 0 ? 1 : 0;
  }

  /**
   * Takes them out of a large block of which {@code choice} wants the range; after a {@link #take}
   * that was put back. {@link #NONE} if no such block is found soon.
   */
  public long takeChosen(long sizeBytes, long alignmentBytes, Choice choice) {
    if (onlyBytes != 0) {
      return NONE; // the one that was put back
    }
    small.prepare(SmallBins.MOST_PUSHES);
    return takeLarge(sizeBytes, alignmentBytes, choice);
  }

  private long takeLarge(long sizeBytes, long alignmentBytes, @Nullable Choice choice) {
    large.prepare(); // for the end of a block that is cut out of the middle
    int block = large.fit(sizeBytes, alignmentBytes, choice);
    if (block == 0) {
      return NONE;
    }
    long start = large.start(block);
    long end = large.end(block);
    long address = start + (-start & (alignmentBytes - 1));
    words.prepare(address, sizeBytes);
    words.clear(address, sizeBytes);
    totalBytes -= sizeBytes;
    blockCount--;
    long belowBytes = address - start;
    long aboveBytes = end - address - sizeBytes;
    if (aboveBytes > SmallBins.MOST_BYTES) {
      large.resize(block, address + sizeBytes, aboveBytes);
      blockCount++;
    } else {
      large.remove(block);
      keep(address + sizeBytes, aboveBytes);
    }
    keep(start, belowBytes);
    return address;
  }

  /** Checks INV-FREE-1 to 4; O(blocks). */
  public void verify() {
    long[] seen = new long[2]; // count, bytes
    large.verify((address, sizeBytes) -> {
      check(sizeBytes > SmallBins.MOST_BYTES, "INV-FREE-2: small", sizeBytes);
      words.verifyLarge(address, sizeBytes);
      seen[0]++;
      seen[1] += sizeBytes;
    });
    Set<Long> inBins = small.verify();
    words.visitSmall((address, sizeBytes) -> {
      check(inBins.contains(address), "INV-FREE-2: bin", address);
      seen[0]++;
      seen[1] += sizeBytes;
    });
    if (onlyBytes != 0) {
      check(seen[0] == 0, "INV-FREE-2: only", seen[0]);
      seen[0]++;
      seen[1] += onlyBytes;
    }
    check(seen[0] == blockCount, "INV-FREE-1: count", seen[0]);
    check(seen[1] == totalBytes, "INV-FREE-1: bytes", seen[1]);
  }

  static void check(boolean condition, String what, long value) {
    if (!condition) {
      throw new AssertionError(what + ": value=" + value);
    }
  }
}
