package dev.arenal.netty;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.util.ReferenceCounted;
import java.lang.module.ModuleDescriptor;
import java.security.CodeSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether this Netty is new enough. An old one would do for a while, and fail by some error of
 * linkage in the middle of a connection.
 */
final class NettyVersion {
  private static final int LEAST_MAJOR = 4;
  private static final int LEAST_MINOR = 2;
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\..*");

  /** The begin of the title in the manifest of each of its jars. */
  private static final String TITLE = "Netty/";

  /** The begin of the name of each of its modules. */
  private static final String MODULE = "io.netty.";

  private NettyVersion() {}

  /**
   * Checks the loaded version, from any jar: of several jars the first one counts.
   *
   * @throws LinkageError if it is too old; not an exception, which the JVM would wrap
   */
  static void check() {
    check("netty-common", ReferenceCounted.class);
    check("netty-buffer", AbstractByteBufAllocator.class);
  }

  private static void check(String artifact, Class<?> type) {
    String version = version(type);
    if (isTooOld(version)) {
      throw new LinkageError(
          "Netty is too old: artifact="
              + artifact
              + ", version="
              + version
              + ", from="
              + source(type)
              + " (expected 4.2, in all of Netty's jars and before any other on the class path;"
              + " tested with 4.2.9 to 4.2.20)");
    }
  }

  /** One that is not known, as in a jar put together of others, passes. */
  static boolean isTooOld(@Nullable String version) {
    if (version == null) {
      return false;
    }
    Matcher numbers = NUMBERS.matcher(version);
    if (!numbers.matches()) {
      return false;
    }
    int major = Integer.parseInt(numbers.group(1));
    int minor = Integer.parseInt(numbers.group(2));
    return major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR);
  }

  private static @Nullable String version(Class<?> type) {
    ModuleDescriptor module = type.getModule().getDescriptor();
    // A jar put together of others may have the version of the program.
    if (module != null) {
      return module.name().startsWith(MODULE) ? module.rawVersion().orElse(null) : null;
    }
    String title = type.getPackage().getImplementationTitle();
    return title != null && title.startsWith(TITLE)
        ? type.getPackage().getImplementationVersion()
        : null;
  }

  private static String source(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? "unknown"
        : source.getLocation().toString();
  }
}
