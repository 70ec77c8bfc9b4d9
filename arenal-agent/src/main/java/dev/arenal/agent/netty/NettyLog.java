package dev.arenal.agent.netty;

import java.security.CodeSource;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/** How lines name an allocator: two of one name may be there, of different loaders. */
final class NettyLog {
  private static final ClassLoader APPLICATION = ClassLoader.getSystemClassLoader();

  private NettyLog() {}

  static String text(String what, Class<?> type) {
    return text(what, type.getName(), type.getClassLoader(), type.getProtectionDomain());
  }

  static String text(
      String what,
      String className,
      @Nullable ClassLoader loader,
      @Nullable ProtectionDomain domain) {
    return "netty: "
        + what
        + ": class="
        + className.replace('/', '.')
        + ", loader="
        + name(loader)
        + ", from="
        + source(domain);
  }

  /** Not by a method of the loader's own, which may do anything. */
  @SuppressWarnings("ReferenceEquality")
  private static String name(@Nullable ClassLoader loader) {
    if (loader == null) {
      return "boot";
    }
    return loader == APPLICATION
        ? "app"
        : loader.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(loader));
  }

  private static String source(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    return source == null || source.getLocation() == null
        ? "unknown"
        : source.getLocation().toString();
  }
}
