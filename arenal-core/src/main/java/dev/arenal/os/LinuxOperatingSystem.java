package dev.arenal.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Locale;
import java.util.stream.Stream;

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
  private static final long DEFAULT_MAX_MAP_COUNT = 65_530;
  private static final int PIDFD_SELF = -10000;
  private static final int SC_PAGESIZE = 30;
  private static final int IOV_MAX = 1024;
  private static final long MINCORE_PAGES = 64 << 10;

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

  private final long mostMappings;
  private final boolean canMove = hasUnlimitedAddresses();

  private LinuxOperatingSystem() {
    pageSizeBytes = sysconf(SC_PAGESIZE);
    canPopulate = madvise(0, 0, MADV_POPULATE_WRITE) == 0; // since Linux 5.14
    String mappings = readLine(Path.of("/proc/sys/vm/max_map_count"));
    mostMappings = mappings.isEmpty() ? DEFAULT_MAX_MAP_COUNT : Long.parseLong(mappings);
    overcommits = !"2".equals(readLine(Path.of("/proc/sys/vm/overcommit_memory")));
  }

  static OperatingSystem instance() {
    String name = System.getProperty("os.name", "");
    String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    if (!name.equals("Linux")
        || !(architecture.equals("amd64") || architecture.equals("aarch64"))) {
      throw new UnsupportedOperationException(
          "native memory is not supported here: os.name="
              + name
              + ", os.arch="
              + architecture
              + " (expected Linux on amd64 or aarch64)");
    }
    return Holder.INSTANCE;
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
    return lazy
        ? mmap(0, sizeBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS | MAP_NORESERVE)
        : mmap(0, sizeBytes, PROT_NONE, MAP_PRIVATE_ANONYMOUS);
  }

  @Override
  public int release(long address, long sizeBytes) {
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      int result = (int) MPROTECT.invokeExact(state, address, sizeBytes, PROT_READ_WRITE);
      return result == 0 ? 0 : errno(state);
    } catch (Throwable e) {
      throw unexpected("mprotect", e);
    }
  }

  @Override
  public int revoke(long address, long sizeBytes) {
    // mprotect alone would keep both the pages and the kernel's promise.
    long result = mmap(address, sizeBytes, PROT_NONE, MAP_PRIVATE_ANONYMOUS | MAP_FIXED);
    return result < 0 ? (int) result : 0;
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      // The first range stays mapped (Linux 5.7): nobody can map into it meanwhile.
      long result =
          (long)
              MREMAP.invokeExact(
                  state, address, sizeBytes, sizeBytes, MREMAP_MAYMOVE_FIXED_DONTUNMAP, toAddress);
      if (result == toAddress) {
        return 0;
      }
      int error = errno(state);
      return isMapped(toAddress, sizeBytes) ? error : -Errno.ENOTRECOVERABLE;
    } catch (Throwable e) {
      throw unexpected("mremap", e);
    }
  }

  /**
   * Whether a range that a failed move may have unmapped is mapped (again). The kernel unmaps the
   * second range first, and some of its refusals come after that; not the one for too many
   * mappings, and {@link #hasUnlimitedAddresses} excludes the one for too many addresses.
   */
  private static boolean isMapped(long address, long sizeBytes) {
    int flags = MAP_PRIVATE_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    long result = mmap(address, sizeBytes, PROT_READ_WRITE, flags);
    return result == address || result == -Errno.EEXIST;
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
  public long residentBytes() {
    String line = readLine(Path.of("/proc/self/statm"));
    if (line.isEmpty()) {
      return -1;
    }
    return Long.parseLong(line.split(" ", -1)[1]) * pageSizeBytes;
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

  private static boolean hasUnlimitedAddresses() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
      return lines.anyMatch(line -> line.matches("Max address space\\s+unlimited\\s.*"));
    } catch (IOException e) {
      return false;
    }
  }

  private static String readLine(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static RuntimeException unexpected(String function, Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("downcall failed: function=" + function, e);
  }

  private static final class Holder {
    static final OperatingSystem INSTANCE = new LinuxOperatingSystem();
  }
}
