package dev.arenal.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.BitSet;

/** Linux on 64-bit x86 and ARM. */
final class LinuxOperatingSystem implements OperatingSystem {
  private static final int SC_PAGESIZE = 30;
  private static final long MINCORE_PAGES = 64 << 10;

  /** Of each byte of a word. */
  private static final long LOWEST_BITS = 0x0101010101010101L;

  private static final KernelFiles FILES = new KernelFiles(Path.of("/"));

  private final long pageSizeBytes;
  private final boolean overcommits;

  /** Cleared for good when the kernel turns out not to know the call. */
  private volatile boolean canDiscardMany = true;

  private final boolean canPopulate;

  /** Found once: no other call is made where it is false. */
  private final boolean canName;

  private final long mostMappings = FILES.mostMappings();
  private final Mappings mappings;
  private final boolean canMove = FILES.hasUnlimitedAddresses();

  LinuxOperatingSystem() {
    KernelCalls.prepare();
    pageSizeBytes = KernelCalls.sysconf(SC_PAGESIZE);
    mappings = new Mappings(mappingLimit(), pageSizeBytes);
    try (KernelCalls calls = KernelCalls.open()) {
      canPopulate = populatesPage(calls);
      canName = calls.canName();
    }
    overcommits = FILES.overcommitMode() != KernelFiles.NEVER_OVERCOMMIT;
  }

  /**
   * Whether the kernel has the call, since Linux 5.14: found with a page, since some that do not
   * have it accept it for none. So a later refusal says something of its range, such as that the
   * program has protected it, and nothing of the kernel.
   */
  private boolean populatesPage(KernelCalls calls) {
    long page = calls.map(pageSizeBytes, true);
    if (page < 0) {
      return false;
    }
    int error = calls.advise(page, pageSizeBytes, KernelCalls.MADV_POPULATE_WRITE);
    var _ = calls.unmap(page, pageSizeBytes);
    return error == 0;
  }

  @Override
  public long pageSizeBytes() {
    return pageSizeBytes;
  }

  @Override
  public boolean overcommits() {
    return overcommits;
  }

  @Override
  public OperatingSystem named(String owner) {
    return canName ? new NamedOperatingSystem(this, owner) : this;
  }

  /** A range without the name of its neighbours is a mapping of its own, and counted so. */
  @Override
  public void name(long address, long sizeBytes, byte[] name) {
    boolean isNamed = false;
    try (KernelCalls calls = KernelCalls.open(name.length)) {
      isNamed = calls.name(address, sizeBytes, name) == 0;
    } catch (OutOfMemoryError e) { // of the Java heap: the named operation has been done
      Thread.onSpinWait();
    }
    if (!isNamed) {
      var _ = mappings.split(address, sizeBytes);
    }
  }

  @Override
  public long reserve(long sizeBytes, boolean lazy) {
    try (KernelCalls calls = KernelCalls.open()) {
      long address = calls.map(sizeBytes, lazy);
      if (address < 0) {
        return address;
      }
      if (!mappings.reserved(address)) {
        int error = calls.unmap(address, sizeBytes);
        return error < 0 ? error : -Errno.TOO_MANY_MAPPINGS;
      }
      calls.keepSmall(address, sizeBytes);
      return address;
    }
  }

  @Override
  public int release(long address, long sizeBytes) {
    try (KernelCalls calls = KernelCalls.open()) {
      // First: once the kernel has the addresses back, another thread may be given them.
      mappings.released(address, sizeBytes);
      int error = calls.unmap(address, sizeBytes);
      if (error != 0) {
        // Joined with a neighbour by the kernel, which has no mapping left to split it off. The
        // edges inside are forgotten: too few are counted until the next close of its owner.
        var _ = mappings.reserved(address);
      }
      return error;
    }
  }

  @Override
  public int allow(long address, long sizeBytes) {
    try (KernelCalls calls = KernelCalls.open()) {
      // Charged to the commit limit. A new mapping would be too, but kernels before 6.12 unmap
      // the old one before they find that they must refuse: a hole, into which any code may map.
      if (!mappings.allow(address, sizeBytes)) {
        return -Errno.TOO_MANY_MAPPINGS;
      }
      int error = calls.protect(address, sizeBytes, KernelCalls.PROT_READ_WRITE);
      if (error < 0) {
        mappings.undo(address, sizeBytes);
      }
      return error;
    }
  }

  @Override
  public int revoke(long address, long sizeBytes) {
    try (KernelCalls calls = KernelCalls.open()) {
      if (!mappings.revoke(address, sizeBytes)) {
        return -Errno.TOO_MANY_MAPPINGS;
      }
      // mprotect alone would keep both the pages and the kernel's promise.
      long result = calls.mapAgain(address, sizeBytes);
      if (result < 0 && !calls.fillHole(address, sizeBytes, KernelCalls.PROT_NONE)) {
        mappings.undo(address, sizeBytes);
        return (int) result;
      }
      calls.keepSmall(address, sizeBytes); // the new mapping joins its neighbours, which are so
      return 0;
    }
  }

  @Override
  public int discard(long[] addresses, long[] sizesBytes, int count) {
    int from = count > 1 && canDiscardMany ? discardMany(addresses, sizesBytes, count) : 0;
    try (KernelCalls calls = KernelCalls.open()) {
      for (int i = from; i < count; i++) {
        int result = calls.advise(addresses[i], sizesBytes[i], KernelCalls.MADV_DONTNEED);
        if (result == -Errno.EINVAL) {
          // The program has locked it, and freed it still locked; since Linux 5.18.
          result = calls.advise(addresses[i], sizesBytes[i], KernelCalls.MADV_DONTNEED_LOCKED);
        }
        if (result < 0) {
          return result;
        }
      }
      return 0;
    }
  }

  /**
   * In few calls, where the kernel can: since 6.13 a process may advise itself so.
   *
   * @return how many of the ranges are done
   */
  private int discardMany(long[] addresses, long[] sizesBytes, int count) {
    int from = 0;
    int most = Math.min(count, KernelCalls.IOV_MAX);
    try (KernelCalls calls = KernelCalls.open(2L * Long.BYTES * most)) {
      while (from < count) {
        int batch = Math.min(count - from, most);
        int result = calls.discardBatch(addresses, sizesBytes, from, batch);
        if (result < 0) {
          // Some of it may be done: one by one shows the ranges that cannot be.
          canDiscardMany &=
              result == -Errno.ENOMEM || result == -Errno.EAGAIN || result == -Errno.EINVAL;
          return from;
        }
        from += batch;
      }
    } catch (OutOfMemoryError e) {
      return from; // of the Java heap: one by one, nothing is created
    }
    return from;
  }

  @Override
  public int populate(long address, long sizeBytes) {
    if (!canPopulate) {
      return 0;
    }
    try (KernelCalls calls = KernelCalls.open()) {
      return calls.advise(address, sizeBytes, KernelCalls.MADV_POPULATE_WRITE);
    }
  }

  @Override
  public int move(long address, long sizeBytes, long toAddress) {
    if (!canMove) {
      return -Errno.ENOSYS;
    }
    try (KernelCalls calls = KernelCalls.open()) {
      return mappings.split(toAddress, sizeBytes)
          ? calls.move(address, sizeBytes, toAddress)
          : -Errno.ENOMEM;
    }
  }

  @Override
  public boolean canPopulate() {
    return canPopulate;
  }

  @Override
  public void touch(long address, long sizeBytes) {
    NativeMemory.touch(address, sizeBytes, pageSizeBytes);
  }

  @Override
  public int adviseHuge(long address, long sizeBytes, boolean huge) {
    int advice = huge ? KernelCalls.MADV_HUGEPAGE : KernelCalls.MADV_NOHUGEPAGE;
    try (KernelCalls calls = KernelCalls.open()) {
      return mappings.split(address, sizeBytes)
          ? calls.advise(address, sizeBytes, advice)
          : -Errno.ENOMEM;
    }
  }

  @Override
  public long hugeBytes(long[] addresses, long[] sizesBytes, int count) {
    return FILES.hugeBytes(addresses, sizesBytes, count);
  }

  @Override
  public long absentBytes(long address, long sizeBytes) {
    long absentCount = 0;
    long mostPages = Math.min(MINCORE_PAGES, sizeBytes / pageSizeBytes);
    try (KernelCalls calls = KernelCalls.open(mostPages)) {
      for (long done = 0; done < sizeBytes; ) {
        long partBytes = Math.min(sizeBytes - done, mostPages * pageSizeBytes);
        MemorySegment pages = calls.residence(address + done, partBytes);
        if (pages.equals(MemorySegment.NULL)) {
          return -1;
        }
        absentCount += countAbsent(pages, partBytes / pageSizeBytes);
        done += partBytes;
      }
    }
    return absentCount * pageSizeBytes;
  }

  /** Eight pages at a time: byte by byte it would take longer than the kernel does. */
  private static long countAbsent(MemorySegment pages, long count) {
    long residentCount = 0;
    long page = 0;
    for (; page + Long.BYTES <= count; page += Long.BYTES) {
      residentCount += Long.bitCount(pages.get(JAVA_LONG, page) & LOWEST_BITS);
    }
    for (; page < count; page++) {
      residentCount += pages.get(JAVA_BYTE, page) & 1;
    }
    return count - residentCount;
  }

  @Override
  public long threadFaults() {
    return FILES.threadFaults();
  }

  @Override
  public int currentNode() {
    try (KernelCalls calls = KernelCalls.open(Integer.BYTES)) {
      return calls.currentNode();
    }
  }

  @Override
  public BitSet processorsOfNode(int node) {
    return FILES.processorsOfNode(node);
  }

  @Override
  public int nodeCount() {
    return FILES.nodeCount();
  }

  @Override
  public int bindThread(BitSet processors) {
    long[] words = processors.toLongArray(); // whole ones, as the kernel reads them
    try (KernelCalls calls = KernelCalls.open((long) words.length * Long.BYTES)) {
      return calls.bind(words);
    }
  }

  @Override
  public MemoryFigures memoryFigures() {
    return FILES.memoryFigures(pageSizeBytes);
  }

  @Override
  public long mostMappings() {
    return mostMappings;
  }

  @Override
  public long mappingCount() {
    return mappings.count();
  }
}
