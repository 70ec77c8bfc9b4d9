package dev.arenal.netty;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The agent's pages as a class sees them whose loader may not see the agent: by handles, whose
 * types are those of the JDK. They are constants, so a call costs as much as a direct one.
 */
final class LinkedPages {
  /**
   * The agent's class, which the application's loader has. Where the agent's jar is made, the name
   * is changed with that of the class.
   */
  private static final String TARGET = "dev.arenal.agent.netty.NettyPages";

  private static final MethodHandle ALLOCATE = find("allocate", Object.class, long.class);
  private static final MethodHandle ROUND_UP = find("roundUp", long.class, long.class);
  private static final MethodHandle SEGMENT = find("segment", MemorySegment.class, Object.class);
  private static final MethodHandle CLOSE = find("close", void.class, Object.class);
  private static final MethodHandle EVERYTHING = find("everything", MemorySegment.class);

  private LinkedPages() {}

  private static MethodHandle find(String name, Class<?> result, Class<?>... arguments) {
    try {
      Class<?> target = ClassLoader.getSystemClassLoader().loadClass(TARGET);
      MethodType type = MethodType.methodType(result, arguments);
      return MethodHandles.publicLookup().findStatic(target, name, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the agent's pages are not to be found: class=" + TARGET, e);
    }
  }

  static Object allocate(long sizeBytes) {
    try {
      return (Object) ALLOCATE.invokeExact(sizeBytes);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static long roundUp(long sizeBytes) {
    try {
      return (long) ROUND_UP.invokeExact(sizeBytes);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static MemorySegment segment(Object page) {
    try {
      return (MemorySegment) SEGMENT.invokeExact(page);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void close(Object page) {
    try {
      CLOSE.invokeExact(page);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** All memory, by the agent's leave: the module of the copy may have no native access. */
  static MemorySegment segment() {
    try {
      return (MemorySegment) EVERYTHING.invokeExact();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** As it is: none of the methods declares a checked one. */
  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return (RuntimeException) e;
  }
}
