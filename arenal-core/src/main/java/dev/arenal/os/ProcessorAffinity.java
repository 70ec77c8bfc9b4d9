package dev.arenal.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;

/**
 * The processors that a thread may run on. Apart from the rest, so that only a program that asks
 * for it has it linked.
 */
@SuppressWarnings("restricted") // the door, too
final class ProcessorAffinity {
  private static final int THIS_THREAD = 0;

  private static final MethodHandle SCHED_GETCPU =
      handle("sched_getcpu", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle SCHED_SETAFFINITY =
      handle("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));

  private ProcessorAffinity() {}

  /** The processor on which this thread just runs; 0 if the kernel does not say. */
  static int currentProcessor() {
    try {
      return Math.max(0, (int) SCHED_GETCPU.invokeExact());
    } catch (Throwable e) {
      throw new IllegalStateException("downcall failed: function=sched_getcpu", e);
    }
  }

  /**
   * Lets this thread run there only.
   *
   * @return 0, or a negative errno
   */
  static int bind(BitSet processors) {
    try (Arena arena = Arena.ofConfined()) {
      byte[] mask = processors.toByteArray();
      // The kernel reads whole words.
      MemorySegment words = arena.allocate((mask.length + 7L) & -8L, 8);
      MemorySegment.copy(mask, 0, words, JAVA_BYTE, 0, mask.length);
      int result = (int) SCHED_SETAFFINITY.invokeExact(THIS_THREAD, words.byteSize(), words);
      return result == 0 ? 0 : -Errno.EINVAL; // the one that it can be
    } catch (Throwable e) {
      throw new IllegalStateException("downcall failed: function=sched_setaffinity", e);
    }
  }

  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
  }
}
