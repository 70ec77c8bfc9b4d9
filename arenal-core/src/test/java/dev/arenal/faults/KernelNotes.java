package dev.arenal.faults;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which addresses the rewritten libraries have mapped, each loader its own. A call to the kernel
 * that is about other addresses would be about another owner's memory, such as the stack of a
 * thread: a JVM ends without a word if that is unmapped. So such a call is not made (INV-MEM-5).
 */
public final class KernelNotes {
  // Numbers of system calls, on x86-64 and on aarch64.
  private static final boolean IS_X86 = System.getProperty("os.arch", "").equals("amd64");
  private static final long MMAP = IS_X86 ? 9 : 222;
  private static final long MPROTECT = IS_X86 ? 10 : 226;
  private static final long MUNMAP = IS_X86 ? 11 : 215;
  private static final long MREMAP = IS_X86 ? 25 : 216;
  private static final long MADVISE = IS_X86 ? 28 : 233;
  private static final long PROCESS_MADVISE = 440;
  private static final long MAP_FIXED = 0x10;

  /** By their first address. */
  private static final TreeMap<Long, Range> RANGES = new TreeMap<>();

  /** Since the last check. */
  private static final List<AssertionError> FAILURES = new ArrayList<>();

  private record Range(long from, long to, int owner) {}

  private KernelNotes() {}

  /**
   * Called by the rewritten library before it calls the kernel.
   *
   * @throws AssertionError if it has not mapped what the call is about
   */
  public static void beforeCall(Object calls, long number, long a, long b, long c, long d, long e) {
    int owner = owner(calls);
    synchronized (RANGES) {
      if (number == MUNMAP) {
        requireOwn(owner, "munmap", a, b);
        remove(a, a + b); // now: the next moment another thread may be given them
      } else if (number == MPROTECT) {
        requireOwn(owner, "mprotect", a, b);
      } else if (number == MADVISE) {
        requireOwn(owner, "madvise", a, b);
      } else if (number == MMAP && (d & MAP_FIXED) != 0) {
        requireOwn(owner, "mmap", a, b);
      } else if (number == MREMAP) {
        requireOwn(owner, "mremap", a, b);
        requireOwn(owner, "mremap", e, b);
      } else if (number == PROCESS_MADVISE) {
        MemorySegment ranges = memory(b, 2 * c * Long.BYTES);
        for (long i = 0; i < c; i++) {
          requireOwn(owner, "process_madvise", word(ranges, 2 * i), word(ranges, 2 * i + 1));
        }
      }
    }
  }

  /** Called by the rewritten library when the kernel has returned. */
  public static void afterCall(long result, Object calls, long number, long a, long b) {
    synchronized (RANGES) {
      if (number == MMAP && result != -1) {
        remove(result, result + b);
        RANGES.put(result, new Range(result, result + b, owner(calls)));
      } else if (number == MUNMAP && result != 0) {
        RANGES.put(a, new Range(a, a + b, owner(calls)));
      }
    }
  }

  /** Throws the first failure since the last time, which the library may have caught. */
  static void check() {
    synchronized (RANGES) {
      if (!FAILURES.isEmpty()) {
        AssertionError first = FAILURES.getFirst();
        FAILURES.clear();
        throw first;
      }
    }
  }

  private static int owner(Object calls) {
    return calls.getClass().getClassLoader() instanceof FaultLoader loader ? loader.number : 0;
  }

  private static void requireOwn(int owner, String call, long address, long sizeBytes) {
    if (isOwn(owner, address, address + sizeBytes)) {
      return;
    }
    AssertionError failure =
        new AssertionError(
            "call to the kernel about memory of another owner: call="
                + call
                + ", address=0x"
                + Long.toHexString(address)
                + ", sizeBytes="
                + sizeBytes
                + " (expected addresses that this loader's library has mapped)");
    FAILURES.add(failure);
    throw failure;
  }

  private static boolean isOwn(int owner, long from, long to) {
    long at = from;
    while (at < to) {
      Map.Entry<Long, Range> entry = RANGES.floorEntry(at);
      if (entry == null || entry.getValue().to <= at || entry.getValue().owner != owner) {
        return false;
      }
      at = entry.getValue().to;
    }
    return true;
  }

  private static void remove(long from, long to) {
    Map.Entry<Long, Range> entry = RANGES.lowerEntry(to);
    while (entry != null && entry.getValue().to > from) {
      Range range = entry.getValue();
      RANGES.remove(range.from);
      if (range.to > to) {
        RANGES.put(to, new Range(to, range.to, range.owner));
      }
      if (range.from < from) {
        RANGES.put(range.from, new Range(range.from, from, range.owner));
      }
      entry = RANGES.lowerEntry(from);
    }
  }

  private static long word(MemorySegment words, long index) {
    return words.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  @SuppressWarnings("restricted")
  private static MemorySegment memory(long address, long sizeBytes) {
    return MemorySegment.ofAddress(address).reinterpret(sizeBytes);
  }
}
