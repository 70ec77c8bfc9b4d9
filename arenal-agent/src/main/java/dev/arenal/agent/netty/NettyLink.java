package dev.arenal.agent.netty;

import dev.arenal.agent.runtime.AgentOutput;
import dev.arenal.agent.runtime.SeparateThread;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Called by an allocator of Netty at its first direct buffer, to get the handle that allocates them
 * from then on. The allocator asks once, by a constant of its class, and gives a {@link Lookup} of
 * itself.
 *
 * <p>On any failure the answer is a handle that allocates nothing, and Netty makes its buffers
 * itself. Only the end of memory or stack is thrown: the JVM then asks again at the next buffer.
 * That holds since a {@link SeparateThread} does the work, and leaves no class half initialized.
 */
public final class NettyLink {
  /** How an allocator calls: itself, the capacity, the greatest capacity. */
  static final MethodType NEW_BUFFER =
      MethodType.methodType(Object.class, Object.class, int.class, int.class);

  static final MethodType USED_BYTES = MethodType.methodType(long.class);

  private static final String MAKER = "newBuffer";

  /** Classes of which the log has spoken; two threads may ask for one at the same time. */
  private static final WeakHashMap<Class<?>, Boolean> TOLD = new WeakHashMap<>();

  private NettyLink() {}

  /** A handle that makes a buffer, or null; of type {@link #NEW_BUFFER}. */
  public static MethodHandle newBuffer(Lookup lookup) {
    return linked(new Linking(lookup, NEW_BUFFER));
  }

  /** A handle that says how many bytes the buffers have; of type {@link #USED_BYTES}. */
  public static MethodHandle usedBytes(Lookup lookup) {
    return linked(new Linking(lookup, USED_BYTES));
  }

  private static MethodHandle linked(Linking linking) {
    try {
      return SeparateThread.call(linking);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      return linking.leaveAlone(e);
    }
  }

  /** No lambda: linking one is no work for the caller's stack. */
  private record Linking(Lookup lookup, MethodType type)
      implements SeparateThread.Task<MethodHandle> {
    @Override
    public MethodHandle run() {
      try {
        return type.equals(NEW_BUFFER) ? maker() : usedBytes();
      } catch (VirtualMachineError e) {
        throw e;
      } catch (Throwable e) {
        return leaveAlone(e);
      }
    }

    private MethodHandle maker() throws Throwable {
      MethodHandle maker = link(lookup);
      long limitBytes = NettyPages.openWith(maxDirectMemory(lookup));
      FirstAccesses.make();
      Class<?> allocator = lookup.lookupClass();
      if (isFirst(allocator)) {
        AgentOutput.line(
            NettyLog.text("direct buffers are in pages", allocator) + ", limitBytes=" + limitBytes);
      }
      return maker;
    }

    private MethodHandle usedBytes() throws ReflectiveOperationException {
      var _ = link(lookup);
      return MethodHandles.lookup().findStatic(NettyPages.class, "usedBytes", USED_BYTES);
    }

    /** Only an allocator that was asked for a buffer is spoken of. */
    private MethodHandle leaveAlone(Throwable e) {
      Class<?> allocator = lookup.lookupClass();
      if (type.equals(NEW_BUFFER) && isFirst(allocator)) {
        AgentOutput.line(NettyLog.text("left alone", allocator) + ", reason=" + reason(e));
      }
      return MethodHandles.empty(type);
    }
  }

  private static MethodHandle link(Lookup lookup) throws ReflectiveOperationException {
    String root = NettyNames.rootOf(lookup.lookupClass().getName().replace('.', '/'));
    CopiedClasses copies = CopiedClasses.of(root);
    Set<String> missing = MissingMethods.of(lookup, root, copies);
    if (!missing.isEmpty()) {
      throw new UnknownShapeException(
          "its buffers are not those that are known: missing="
              + missing.iterator().next()
              + ", missingCount="
              + missing.size(),
          "Netty 4.1 or 4.2; tested with " + NettyNames.TESTED);
    }
    Class<?> buffers = copies.defineBy(lookup);
    Class<?> buffer = lookup.findClass((root + "buffer/ByteBuf").replace('/', '.'));
    Class<?> allocator = lookup.findClass((root + "buffer/ByteBufAllocator").replace('/', '.'));
    MethodType type = MethodType.methodType(buffer, allocator, int.class, int.class);
    return lookup.findStatic(buffers, MAKER, type).asType(NEW_BUFFER);
  }

  /** As that Netty takes it from its own properties, or from the JVM. */
  private static long maxDirectMemory(Lookup lookup) throws Throwable {
    String root = NettyNames.rootOf(lookup.lookupClass().getName().replace('.', '/'));
    Class<?> platform =
        lookup.findClass((root + "util/internal/PlatformDependent").replace('/', '.'));
    MethodHandle max =
        lookup.findStatic(platform, "maxDirectMemory", MethodType.methodType(long.class));
    return (long) max.invokeExact();
  }

  private static boolean isFirst(Class<?> allocator) {
    synchronized (TOLD) {
      return TOLD.put(allocator, true) == null;
    }
  }

  private static @Nullable String reason(Throwable e) {
    return e instanceof UnknownShapeException || e instanceof IllegalStateException
        ? e.getMessage()
        : e.toString();
  }
}
