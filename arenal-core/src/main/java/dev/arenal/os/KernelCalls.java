package dev.arenal.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * The calls into the Linux kernel that one operation makes, and what they need.
 *
 * <p>All of that is there before the first call: no call creates an object, so an operation of
 * several calls does not end between two of them because the Java heap is full. Where it cannot
 * even be created, operations take turns with objects that were created in advance: memory goes
 * back to the kernel nevertheless.
 *
 * <p>Ordinary downcalls with errno captured. {@code Linker.Option.critical} would save some
 * nanoseconds a call and hold up every safepoint for as long as the kernel frees gigabytes: not for
 * calls that enter the kernel.
 */
@SuppressWarnings({"restricted", "ReferenceEquality"}) // this is the door; one object is special
final class KernelCalls implements MoveCalls, AutoCloseable {
  // Values from the Linux headers for x86-64 and aarch64, which agree in all of them.
  static final int PROT_NONE = 0;
  static final int PROT_READ_WRITE = 1 | 2;
  static final int MADV_DONTNEED = 4;
  static final int MADV_HUGEPAGE = 14;
  static final int MADV_NOHUGEPAGE = 15;
  static final int MADV_POPULATE_WRITE = 23;
  static final int MADV_DONTNEED_LOCKED = 24;

  /** Ranges that one call takes. */
  static final int IOV_MAX = 1024;

  private static final int MAP_PRIVATE_ANONYMOUS = 0x02 | 0x20;
  private static final int MAP_FIXED = 0x10;
  private static final int MAP_NORESERVE = 0x4000;
  private static final int MAP_FIXED_NOREPLACE = 0x100000;
  private static final int MREMAP_MAYMOVE_FIXED_DONTUNMAP = 1 | 2 | 4;
  private static final int PIDFD_SELF = -10000;
  private static final int PR_SET_VMA = 0x53564d41;
  private static final int PR_SET_VMA_ANON_NAME = 0;

  // Numbers of system calls, on x86-64 and on aarch64.
  private static final boolean IS_X86 = System.getProperty("os.arch", "").equals("amd64");
  private static final long SYS_MMAP = IS_X86 ? 9 : 222;
  private static final long SYS_MPROTECT = IS_X86 ? 10 : 226;
  private static final long SYS_MUNMAP = IS_X86 ? 11 : 215;
  private static final long SYS_MREMAP = IS_X86 ? 25 : 216;
  private static final long SYS_MINCORE = IS_X86 ? 27 : 232;
  private static final long SYS_MADVISE = IS_X86 ? 28 : 233;
  private static final long SYS_NANOSLEEP = IS_X86 ? 35 : 101;
  private static final long SYS_PRCTL = IS_X86 ? 157 : 167;
  private static final long SYS_SCHED_SETAFFINITY = IS_X86 ? 203 : 122;
  private static final long SYS_GETCPU = IS_X86 ? 309 : 168;
  private static final long SYS_PROCESS_MADVISE = 440;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
  private static final long ERRNO_OFFSET = errnoOffset();

  /**
   * The one shape of all calls: {@code syscall} with six arguments, as the C library has it for
   * calls it does not know. Each shape costs a program's first use of the library some 10 ms.
   */
  private static final FunctionDescriptor SHAPE =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static final MethodHandle SYSCALL = handle("syscall");

  private static final KernelCalls IN_ADVANCE = new KernelCalls(Arena.global(), 0);

  /** For {@link #sleepMoment}, by any number of threads: none of them reads its errno. */
  private static final KernelCalls SLEEPING = new KernelCalls(Arena.global(), 0);

  /** Zero seconds and some nanoseconds: it takes about twice that. */
  private static final MemorySegment MOMENT = Arena.global().allocateFrom(JAVA_LONG, 0L, 50_000L);

  /** Held while {@link #IN_ADVANCE} is in use; nothing is locked after it. */
  private static final CarrierLock TURN = new CarrierLock();

  private final Arena arena;
  private final MemorySegment state;

  /** For batches of ranges or of bytes, zero at first; none where an operation has neither. */
  private final MemorySegment scratch;

  private KernelCalls(Arena arena, long scratchBytes) {
    this.arena = arena;
    this.state = arena.allocate(CAPTURE);
    this.scratch = scratchBytes == 0 ? MemorySegment.NULL : arena.allocate(scratchBytes, 8);
  }

  /** For one operation of the calling thread. */
  static KernelCalls open() {
    return open(0);
  }

  /** The same with room for a number of bytes. */
  static KernelCalls open(long scratchBytes) {
    try {
      return create(scratchBytes);
    } catch (OutOfMemoryError e) {
      if (scratchBytes > 0) {
        throw e;
      }
      TURN.lock();
      return IN_ADVANCE;
    }
  }

  private static KernelCalls create(long scratchBytes) {
    Arena arena = Arena.ofConfined();
    boolean done = false;
    try {
      KernelCalls calls = new KernelCalls(arena, scratchBytes);
      done = true;
      return calls;
    } finally {
      if (!done) {
        arena.close();
      }
    }
  }

  @Override
  public void close() {
    if (this == IN_ADVANCE) {
      TURN.unlock();
    } else {
      arena.close();
    }
  }

  /** Addresses where the kernel likes; or a negative errno. */
  long map(long sizeBytes, boolean lazy) {
    // Without access nothing is charged; with NORESERVE it would not be charged by mprotect either.
    return lazy
        ? map(0, sizeBytes, PROT_READ_WRITE, MAP_NORESERVE)
        : map(0, sizeBytes, PROT_NONE, 0);
  }

  /** Replaces the mapping of a range by an empty one without access; or a negative errno. */
  long mapAgain(long address, long sizeBytes) {
    return map(address, sizeBytes, PROT_NONE, MAP_FIXED);
  }

  private long map(long address, long sizeBytes, int protection, int moreFlags) {
    int flags = MAP_PRIVATE_ANONYMOUS | moreFlags;
    long result = call(SYS_MMAP, address, sizeBytes, protection, flags, -1, 0);
    return result == -1 ? errno() : result;
  }

  int unmap(long address, long sizeBytes) {
    return zeroOrErrno(call(SYS_MUNMAP, address, sizeBytes, 0, 0, 0, 0));
  }

  int protect(long address, long sizeBytes, int protection) {
    return zeroOrErrno(call(SYS_MPROTECT, address, sizeBytes, protection, 0, 0, 0));
  }

  int advise(long address, long sizeBytes, int advice) {
    return zeroOrErrno(call(SYS_MADVISE, address, sizeBytes, advice, 0, 0, 0));
  }

  /**
   * Discards many ranges in one call, where the kernel lets a process advise itself so (Linux
   * 6.13); needs room for two numbers of each.
   *
   * @return 0; {@code -EAGAIN} if some of it is done; or another negative errno
   */
  int discardBatch(long[] addresses, long[] sizesBytes, int from, int count) {
    long totalBytes = 0;
    for (int i = 0; i < count; i++) {
      scratch.setAtIndex(JAVA_LONG, 2L * i, addresses[from + i]);
      scratch.setAtIndex(JAVA_LONG, 2L * i + 1, sizesBytes[from + i]);
      totalBytes += sizesBytes[from + i];
    }
    long done =
        call(SYS_PROCESS_MADVISE, PIDFD_SELF, scratch.address(), count, MADV_DONTNEED, 0, 0);
    if (done == totalBytes) {
      return 0;
    }
    return done < 0 ? errno() : -Errno.EAGAIN;
  }

  /**
   * One byte for each page, whose lowest bit says that it is resident; {@code NULL} if that fails.
   */
  MemorySegment residence(long address, long sizeBytes) {
    long result = call(SYS_MINCORE, address, sizeBytes, scratch.address(), 0, 0, 0);
    return result == 0 ? scratch : MemorySegment.NULL;
  }

  /** Whether the kernel names mappings: since Linux 5.17, where it was built to. */
  boolean canName() {
    return call(SYS_PRCTL, PR_SET_VMA, PR_SET_VMA_ANON_NAME, 0, 0, 0, 0) == 0; // no bytes
  }

  /** Names a range; the name, with a zero at its end, has room in the scratch memory. */
  int name(long address, long sizeBytes, byte[] name) {
    MemorySegment.copy(name, 0, scratch, JAVA_BYTE, 0, name.length);
    return zeroOrErrno(
        call(
            SYS_PRCTL, PR_SET_VMA, PR_SET_VMA_ANON_NAME, address, sizeBytes, scratch.address(), 0));
  }

  /** The NUMA node on which this thread runs; needs room for an int. 0 if the kernel says none. */
  int currentNode() {
    var _ = call(SYS_GETCPU, 0, scratch.address(), 0, 0, 0, 0);
    return scratch.get(JAVA_INT, 0); // still zero if that has failed
  }

  /** Lets this thread run there only: a bit for each processor, for which there is room. */
  int bind(long[] processors) {
    MemorySegment.copy(processors, 0, scratch, JAVA_LONG, 0, processors.length);
    return zeroOrErrno(
        call(SYS_SCHED_SETAFFINITY, 0, scratch.byteSize(), scratch.address(), 0, 0, 0));
  }

  /** The first range stays mapped (Linux 5.7): no other thread can map into it meanwhile. */
  @Override
  public int remap(long address, long sizeBytes, long toAddress) {
    int flags = MREMAP_MAYMOVE_FIXED_DONTUNMAP;
    long result = call(SYS_MREMAP, address, sizeBytes, sizeBytes, flags, toAddress, 0);
    return result == toAddress ? 0 : errno();
  }

  @Override
  public boolean fillHole(long address, long sizeBytes) {
    return fillHole(address, sizeBytes, PROT_READ_WRITE);
  }

  /**
   * Maps a range, unless any of it is mapped.
   *
   * @return whether all of it was a hole, and is this process's again
   */
  boolean fillHole(long address, long sizeBytes, int protection) {
    int lazy = protection == PROT_NONE ? 0 : MAP_NORESERVE;
    long result = map(address, sizeBytes, protection, lazy | MAP_FIXED_NOREPLACE);
    if (result > 0 && result != address) { // before Linux 4.17 the address is a hint only
      var _ = unmap(result, sizeBytes);
    }
    if (result == address) {
      keepSmall(address, sizeBytes);
    }
    return result == address;
  }

  /**
   * Where huge pages are for everybody ({@code transparent_hugepage/enabled} is {@code always}), a
   * word that is written makes 2 MiB resident, and holes that were given back are filled again. A
   * kernel without huge pages refuses this, as it should.
   */
  void keepSmall(long address, long sizeBytes) {
    var _ = advise(address, sizeBytes, MADV_NOHUGEPAGE);
  }

  private int errno() {
    return -state.get(JAVA_INT, ERRNO_OFFSET);
  }

  /** By hand: a path of the layout is one of the many things that take long the first time. */
  private static long errnoOffset() {
    long offset = 0;
    for (MemoryLayout member : CAPTURE.memberLayouts()) {
      if (member.name().orElse("").equals("errno")) {
        return offset;
      }
      offset += member.byteSize();
    }
    throw new IllegalStateException("errno cannot be captured: layout=" + CAPTURE);
  }

  /** Has everything loaded that is needed where a call fails. */
  static void prepare() {
    var _ = IN_ADVANCE.errno();
  }

  private int zeroOrErrno(long result) {
    return result == 0 ? 0 : errno();
  }

  private long call(long number, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) SYSCALL.invokeExact(state, number, a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw unexpected(number, thrown);
    }
  }

  /** A virtual thread does not leave its carrier meanwhile. */
  static void sleepMoment() {
    var _ = SLEEPING.call(SYS_NANOSLEEP, MOMENT.address(), 0, 0, 0, 0, 0);
  }

  /** A configuration value of the system. */
  static long sysconf(int name) {
    try { // further arguments are ignored, and so it is the same shape
      return (long)
          handle("sysconf").invokeExact(IN_ADVANCE.state, (long) name, 0L, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw unexpected(-1, e);
    }
  }

  private static MethodHandle handle(String name) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), SHAPE, Linker.Option.captureCallState("errno"));
  }

  private static RuntimeException unexpected(long number, Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("downcall failed: number=" + number, e);
  }
}
