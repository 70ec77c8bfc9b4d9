package dev.arenal.faults;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

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

  private static final long PRCTL = IS_X86 ? 157 : 167;

  private static final Set<Long> NOTED =
      Set.of(MMAP, MPROTECT, MUNMAP, MREMAP, MADVISE, PRCTL, PROCESS_MADVISE);

  /** Nobody parks for it: a virtual thread would leave its carrier, locks of the library held. */
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** By their first address. */
  private static final TreeMap<Long, Range> RANGES = new TreeMap<>();

  /** Since the last check. */
  private static final List<AssertionError> FAILURES = new ArrayList<>();

  private record Range(long from, long to, int owner) {}

  private KernelNotes() {}

  /**
   * Called by the rewritten library before it calls the kernel.
   *
   * @param arg0 and the others: as the kernel takes them
   * @throws AssertionError if it has not mapped what the call is about
   */
  public static void beforeCall(
      Object calls, long number, long arg0, long arg1, long arg2, long arg3, long arg4) {
    int owner = owner(calls);
    if (owner == FaultLoader.NOT_NOTED || !NOTED.contains(number)) {
      return;
    }
    lock();
    try {
      if (number == MUNMAP) {
        requireOwn(owner, "munmap", arg0, arg1);
        remove(arg0, arg0 + arg1); // now: the next moment another thread may be given them
      } else if (number == MPROTECT) {
        requireOwn(owner, "mprotect", arg0, arg1);
      } else if (number == MADVISE) {
        requireOwn(owner, "madvise", arg0, arg1);
      } else if (number == MMAP && (arg3 & MAP_FIXED) != 0) {
        requireOwn(owner, "mmap", arg0, arg1);
      } else if (number == MREMAP) {
        requireOwn(owner, "mremap", arg0, arg1);
        requireOwn(owner, "mremap", arg4, arg1);
      } else if (number == PRCTL && arg3 != 0) { // without bytes it only asks for the ability
        requireOwn(owner, "prctl", arg2, arg3);
      } else if (number == PROCESS_MADVISE) {
        requireOwnRanges(owner, arg1, arg2);
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** Called by the rewritten library when the kernel has returned. */
  public static void afterCall(long result, Object calls, long number, long arg0, long arg1) {
    int owner = owner(calls);
    if (owner == FaultLoader.NOT_NOTED || !NOTED.contains(number)) {
      return;
    }
    lock();
    try {
      if (number == MMAP && result != -1) {
        remove(result, result + arg1);
        RANGES.put(result, new Range(result, result + arg1, owner));
      } else if (number == MUNMAP && result != 0) {
        RANGES.put(arg0, new Range(arg0, arg0 + arg1, owner));
      }
    } finally {
      LOCK.unlock();
    }
  }

  /**
   * Whether a range that the library in the loader of an object has mapped is still mapped, as far
   * as that is noted.
   */
  public static boolean mayBeMapped(Object object, long address, long sizeBytes) {
    int owner = owner(object);
    if (owner == FaultLoader.NOT_NOTED) {
      return true;
    }
    lock();
    try {
      return isOwn(owner, address, address + sizeBytes);
    } finally {
      LOCK.unlock();
    }
  }

  /** Throws the first failure since the last time, which the library may have caught. */
  static void check() {
    lock();
    try {
      if (!FAILURES.isEmpty()) {
        AssertionError first = FAILURES.getFirst();
        FAILURES.clear();
        throw first;
      }
    } finally {
      LOCK.unlock();
    }
  }

  private static void lock() {
    while (!LOCK.tryLock()) {
      Thread.onSpinWait();
    }
  }

  private static int owner(Object object) {
    return object.getClass().getClassLoader() instanceof FaultLoader loader
        ? loader.number
        : FaultLoader.NOT_NOTED;
  }

  private static void requireOwnRanges(int owner, long rangesAddress, long count) {
    MemorySegment ranges = memory(rangesAddress, 2 * count * Long.BYTES);
    for (long i = 0; i < count; i++) {
      requireOwn(owner, "process_madvise", word(ranges, 2 * i), word(ranges, 2 * i + 1));
    }
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
                + ", loader="
                + owner
                + ", thread="
                + Thread.currentThread().getName()
                + " (expected addresses that this loader's library has mapped)");
    FAILURES.add(failure);
    throw failure;
  }

  private static boolean isOwn(int owner, long from, long to) {
    if (from >= to) {
      return false;
    }
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
      entry = RANGES.lowerEntry(to);
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
