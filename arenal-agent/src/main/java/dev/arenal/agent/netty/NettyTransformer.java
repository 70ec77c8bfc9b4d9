package dev.arenal.agent.netty;

import dev.arenal.agent.rewrite.NamePatterns;
import dev.arenal.agent.runtime.AgentOutput;
import java.lang.classfile.ClassFile;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Puts Arenal's pages behind each loaded allocator of Netty, in any package, and logs it. On any
 * failure a class stays unchanged.
 */
public final class NettyTransformer implements ClassFileTransformer {
  /** What a thread may come to first at the end of its stack, and with it each later buffer. */
  private static final List<Class<?>> INITIALIZED =
      List.of(
          AllocatorPatch.class,
          NettyLink.class,
          NettyLog.class,
          NettyNames.class,
          NettyPages.class,
          UnknownShapeException.class);

  private final NamePatterns exclude;
  private final AtomicInteger foundCount = new AtomicInteger();

  /** The loaded class that is just being changed; another tool may ask for others again. */
  private volatile @Nullable Class<?> changing;

  private NettyTransformer(NamePatterns exclude) {
    this.exclude = exclude;
  }

  /**
   * Begins with the classes that are loaded already.
   *
   * @param exclude names of classes that stay as they are
   * @param delay how long memory that is free stays
   * @throws Throwable if the first patch cannot be made; nothing has changed
   */
  public static NettyTransformer start(
      Instrumentation instrumentation, NamePatterns exclude, Duration delay) throws Throwable {
    for (Class<?> type : INITIALIZED) {
      var _ = MethodHandles.lookup().ensureInitialized(type);
    }
    FirstPatch.make();
    NettyPages.uncommitAfter(delay);
    NettyTransformer transformer = new NettyTransformer(exclude);
    boolean canRetransform = instrumentation.isRetransformClassesSupported();
    instrumentation.addTransformer(transformer, canRetransform);
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getClassLoader() != null
          && NettyNames.isAllocator(type.getName().replace('.', '/'))) {
        transformer.changeLoaded(instrumentation, type, canRetransform);
      }
    }
    return transformer;
  }

  private void changeLoaded(Instrumentation instrumentation, Class<?> type, boolean can) {
    try {
      if (!can) {
        throw new UnsupportedOperationException("loaded before the agent");
      }
      changing = type;
      instrumentation.retransformClasses(type);
    } catch (Throwable e) {
      AgentOutput.line(NettyLog.text("left alone", type) + ", reason=" + e);
    } finally {
      changing = null;
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable Module module,
      @Nullable ClassLoader loader,
      @Nullable String givenName,
      @Nullable Class<?> loaded,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    String className = givenName == null ? nameIn(classFile) : givenName;
    if (loader == null || className == null || !NettyNames.isAllocator(className)) {
      return null;
    }
    try {
      if (exclude.matches(className.replace('/', '.'))) {
        leaveAlone(className, loader, domain, "excluded");
        return null;
      }
      if (AllocatorPatch.isPatched(classFile)) {
        return null; // used bytes would count twice
      }
      byte[] changed = AllocatorPatch.of(classFile);
      if (loaded == null || loaded == changing) {
        AgentOutput.line(NettyLog.text("found", className, loader, domain));
        var _ = foundCount.incrementAndGet();
      }
      return changed;
    } catch (Throwable e) {
      String reason = e instanceof UnknownShapeException ? e.getMessage() : e.toString();
      leaveAlone(className, loader, domain, reason);
      return null;
    }
  }

  /** Loaders need not say how the class is called that they define. */
  private static @Nullable String nameIn(byte[] classFile) {
    try {
      return ClassFile.of().parse(classFile).thisClass().asInternalName();
    } catch (Throwable _) {
      return null; // damaged, or the end of memory or stack
    }
  }

  private static void leaveAlone(
      String className,
      ClassLoader loader,
      @Nullable ProtectionDomain domain,
      @Nullable String reason) {
    try {
      AgentOutput.line(
          NettyLog.text("left alone", className, loader, domain) + ", reason=" + reason);
    } catch (Throwable _) {
      // Out of memory or of stack: nothing can be done, and nothing may be thrown.
    }
  }

  /** One line for the end of the program. */
  public String summary() {
    return "netty: classesFound=" + foundCount + ", " + NettyPages.figures();
  }
}
