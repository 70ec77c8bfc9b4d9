package dev.arenal.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * Linux on 64-bit x86 and ARM, by ordinary downcalls with errno captured.
 *
 * <p>{@code Linker.Option.critical} would save some nanoseconds a call and hold up every safepoint
 * for as long as the kernel frees gigabytes: not for calls that enter the kernel.
 */
@SuppressWarnings("restricted") // this is the door
final class LinuxOperatingSystem implements OperatingSystem {
  // Values from the Linux headers for x86-64 and aarch64, which agree in all of them.
  private static final int PROT_NONE = 0;
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MAP_FIXED = 0x10;
  private static final int MAP_NORESERVE = 0x4000;
  private static final int MAP_FIXED_NOREPLACE = 0x100000;
  private static final int MREMAP_MAYMOVE_FIXED_DONTUNMAP = 1 | 2 | 4;
  private static final int MADV_DONTNEED = 4;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_NOHUGEPAGE = 15;
  private static final int MADV_POPULATE_WRITE = 23;
  private static final int SYS_PROCESS_MADVISE = 440;
  private static final int PIDFD_SELF = -10000;
  private static final int SC_PAGESIZE = 30;
  private static final int IOV_MAX = 1024;
  private static final long MINCORE_PAGES = 64 << 10;

  private static final MoveCalls MOVES =
      new MoveCalls() {
        @Override
        public int remap(long address, long sizeBytes, long toAddress) {
          return LinuxOperatingSystem.remap(address, sizeBytes, toAddress);
        }

        @Override
        public boolean fillHole(long address, long sizeBytes) {
          return LinuxOperatingSystem.fillHole(address, sizeBytes, PROT_READ_WRITE);
        }
      };

  private static final KernelFiles FILES = new KernelFiles(Path.of("/"));
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout CAPTURE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle MPROTECT =
      handle("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MADVISE =
      handle("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MINCORE =
      handle("mincore", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS));
  private static final MethodHandle MREMAP =
      handle(
          "mremap",
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
  private static final MethodHandle PROCESS_MADVISE =
      handle(
          "syscall",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  private final long pageSizeBytes;
  private final boolean overcommits;

  /** Cleared for good when the kernel turns out not to know the call. */
  private volatile boolean canAdviseMany = true;

  private volatile boolean canPopulate;

  private final long mostMappings = FILES.mostMappings();
  private final Mappings mappings;
  private final boolean canMove = FILES.hasUnlimitedAddresses();

  LinuxOperatingSystem() {
    pageSizeBytes = sysconf(SC_PAGESIZE);
    mappings = new Mappings(mappingLimit(), pageSizeBytes);
    canPopulate = madvise(0, 0, MADV_POPULATE_WRITE) == 0; // since Linux 5.14
    overcommits = FILES.overcommitMode() != KernelFiles.NEVER_OVERCOMMIT;
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
  public long reserve(long sizeBytes, boolean lazy) {
    // Without access nothing is charged; with NORESERVE it would not be charged by allow() either.
    long address =
        lazy
            ? mmap(0, sizeBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | MAP_NORESERVE)
            : mmap(0, sizeBytes, PROT_NONE, MAP_PRIVATE_ANONYMOUS);
    if (address < 0) {
      return address;
    }
    if (!mappings.reserved(address)) {
      int error = unmap(address, sizeBytes);
      return error < 0 ? error : -Errno.TOO_MANY_MAPPINGS;
    }
    keepSmall(address, sizeBytes);
    return address;
  }

  /**
   * Where huge pages are for everybody ({@code transparent_hugepage/enabled} is {@code always}), a
   * word that is written makes 2 MiB resident, and holes that were given back are filled again. A
   * kernel without huge pages refuses this, as it should.
   */
  private static void keepSmall(long address, long sizeBytes) {
    var _ = madvise(address, sizeBytes, MADV_NOHUGEPAGE);
  }

  @Override
  public int release(long address, long sizeBytes) {
    // First: once the kernel has the addresses back, another thread may be given them.
    mappings.released(address, sizeBytes);
    int error = unmap(address, sizeBytes);
    if (error != 0) {
      // Joined with a neighbour by the kernel, which has no mapping left to split it off. The edges
      // inside are forgotten: too few are counted until the next close of its owner.
      var _ = mappings.reserved(address);
    }
    return error;
  }

  private static int unmap(long address, long sizeBytes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      int result = (int) MUNMAP.invokeExact(state, address, sizeBytes);
      return result == 0 ? 0 : errno(state);
    } catch (Throwable e) {
      throw unexpected("munmap", e);
    }
  }

  @Override
  public int allow(long address, long sizeBytes) {
    // Charged to the commit limit. A fresh mapping would be too, but kernels before 6.12 unmap the
    // old one before they find that they must refuse: a hole, into which anybody may map.
    if (!mappings.allow(address, sizeBytes)) {
      return -Errno.TOO_MANY_MAPPINGS;
    }
    int error = protect(address, sizeBytes, PROT_READ_WRITE);
    if (error < 0) {
      mappings.undoAllow(address, sizeBytes);
    }
    return error;
  }

  private static int protect(long address, long sizeBytes, int protection) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      int result = (int) MPROTECT.invokeExact(state, address, sizeBytes, protection);
      return result == 0 ? 0 : errno(state);
    } catch (Throwable e) {
      throw unexpected("mprotect", e);
    }
  }

  @Override
  public int revoke(long address, long sizeBytes) {
    if (!mappings.revoke(address, sizeBytes)) {
      return -Errno.TOO_MANY_MAPPINGS;
    }
    // mprotect alone would keep both the pages and the kernel's promise.
    long result = mmap(address, sizeBytes, PROT_NONE, MAP_PRIVATE_ANONYMOUS | MAP_FIXED);
    if (result < 0 && !fillHole(address, sizeBytes, PROT_NONE)) {
      mappings.undoRevoke(address, sizeBytes);
      return (int) result;
    }
    keepSmall(address, sizeBytes); // the new mapping joins its neighbours, which are so
    return 0;
  }

  @Override
  public int discard(long[] addresses, long[] sizesBytes, int count) {
    return adviseAll(addresses, sizesBytes, count, MADV_DONTNEED);
  }

  /** In one call where the kernel can: since 6.13 a process may advise itself so. */
  private int adviseAll(long[] addresses, long[] sizesBytes, int count, int advice) {
    int from = 0;
    while (count - from > 1 && canAdviseMany) {
      int batch = Math.min(count - from, IOV_MAX);
      int result = adviseBatch(addresses, sizesBytes, from, batch, advice);
      if (result == -Errno.ENOMEM || result == -Errno.EAGAIN) {
        break; // some of it is done: what cannot be is found one by one
      } else if (result < 0) {
        canAdviseMany = false;
      } else {
        from += batch;
      }
    }
    for (int i = from; i < count; i++) {
      int result = madvise(addresses[i], sizesBytes[i], advice);
      if (result < 0) {
        return result;
      }
    }
    return 0;
  }

  @Override
  public int populate(long address, long sizeBytes) {
    return populateAll(new long[] {address}, new long[] {sizeBytes}, 1);
  }

  @Override
  public int populateAll(long[] addresses, long[] sizesBytes, int count) {
    if (!canPopulate) {
      return 0;
    }
    int result = adviseAll(addresses, sizesBytes, count, MADV_POPULATE_WRITE);
    if (result == -Errno.EINVAL) {
      canPopulate = false;
      return 0;
    }
    return result;
  }

  @Override
  public int move(long address, long sizeBytes, long toAddress) {
    if (!canMove) {
      return -Errno.ENOSYS;
    }
    if (!mappings.split(toAddress, sizeBytes)) {
      return -Errno.ENOMEM;
    }
    return MOVES.move(address, sizeBytes, toAddress);
  }

  private static int remap(long address, long sizeBytes, long toAddress) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      // The first range stays mapped (Linux 5.7): nobody can map into it meanwhile.
      long result =
          (long)
              MREMAP.invokeExact(
                  state, address, sizeBytes, sizeBytes, MREMAP_MAYMOVE_FIXED_DONTUNMAP, toAddress);
      return result == toAddress ? 0 : errno(state);
    } catch (Throwable e) {
      throw unexpected("mremap", e);
    }
  }

  /**
   * Maps a range, unless any of it is mapped.
   *
   * @return whether all of it was a hole, and is this process's again
   */
  private static boolean fillHole(long address, long sizeBytes, int protection) {
    int lazy = protection == PROT_NONE ? 0 : MAP_NORESERVE;
    int flags = MAP_PRIVATE_ANONYMOUS | lazy | MAP_FIXED_NOREPLACE;
    long result = mmap(address, sizeBytes, protection, flags);
    if (result > 0 && result != address) { // before Linux 4.17 the address is a hint only
      var _ = unmap(result, sizeBytes);
    }
    if (result == address) {
      keepSmall(address, sizeBytes);
    }
    return result == address;
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
    if (!mappings.split(address, sizeBytes)) {
      return -Errno.ENOMEM;
    }
    return madvise(address, sizeBytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }

  @Override
  public long hugeBytes(long[] addresses, long[] sizesBytes, int count) {
    return FILES.hugeBytes(addresses, sizesBytes, count);
  }

  @Override
  public long absentBytes(long address, long sizeBytes) {
    long countAbsent = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      MemorySegment pages = arena.allocate(Math.min(MINCORE_PAGES, sizeBytes / pageSizeBytes));
      for (long done = 0; done < sizeBytes; ) {
        long partBytes = Math.min(sizeBytes - done, pages.byteSize() * pageSizeBytes);
        if ((int) MINCORE.invokeExact(state, address + done, partBytes, pages) != 0) {
          return -1;
        }
        for (long page = 0; page < partBytes / pageSizeBytes; page++) {
          countAbsent += 1 - (pages.get(JAVA_BYTE, page) & 1);
        }
        done += partBytes;
      }
      return countAbsent * pageSizeBytes;
    } catch (Throwable e) {
      throw unexpected("mincore", e);
    }
  }

  @Override
  public long threadFaults() {
    return FILES.threadFaults();
  }

  @Override
  public int currentNode() {
    return FILES.nodeOfProcessor(ProcessorAffinity.currentProcessor());
  }

  @Override
  public BitSet processorsOfNode(int node) {
    return FILES.processorsOfNode(node);
  }

  @Override
  public int countNodes() {
    return FILES.countNodes();
  }

  @Override
  public int bindThread(BitSet processors) {
    return ProcessorAffinity.bind(processors);
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
  public long countMappings() {
    return mappings.count();
  }

  @Override
  public long residentBytes() {
    return FILES.residentBytes(pageSizeBytes);
  }

  private static int adviseBatch(
      long[] addresses, long[] sizesBytes, int from, int count, int advice) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      MemorySegment vector = arena.allocate(JAVA_LONG, 2L * count);
      long totalBytes = 0;
      for (int i = 0; i < count; i++) {
        vector.setAtIndex(JAVA_LONG, 2L * i, addresses[from + i]);
        vector.setAtIndex(JAVA_LONG, 2L * i + 1, sizesBytes[from + i]);
        totalBytes += sizesBytes[from + i];
      }
      long done =
          (long)
              PROCESS_MADVISE.invokeExact(
                  state,
                  (long) SYS_PROCESS_MADVISE,
                  (long) PIDFD_SELF,
                  vector,
                  (long) count,
                  (long) advice,
                  0L);
      if (done == totalBytes) {
        return 0;
      }
      return done < 0 ? errno(state) : -Errno.EAGAIN;
    } catch (Throwable e) {
      throw unexpected("process_madvise", e);
    }
  }

  private static long mmap(long address, long sizeBytes, int protection, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      long result = (long) MMAP.invokeExact(state, address, sizeBytes, protection, flags, -1, 0L);
      return result == -1 ? errno(state) : result;
    } catch (Throwable e) {
      throw unexpected("mmap", e);
    }
  }

  private static int madvise(long address, long sizeBytes, int advice) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      int result = (int) MADVISE.invokeExact(state, address, sizeBytes, advice);
      return result == 0 ? 0 : errno(state);
    } catch (Throwable e) {
      throw unexpected("madvise", e);
    }
  }

  private static long sysconf(int name) {
    MethodHandle sysconf =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("sysconf"),
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
    try {
      return (long) sysconf.invokeExact(name);
    } catch (Throwable e) {
      throw unexpected("sysconf", e);
    }
  }

  private static int errno(MemorySegment state) {
    return -(int) ERRNO.get(state, 0L);
  }

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        descriptor,
        Linker.Option.captureCallState("errno"));
  }

  private static RuntimeException unexpected(String function, Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("downcall failed: function=" + function, e);
  }
}
