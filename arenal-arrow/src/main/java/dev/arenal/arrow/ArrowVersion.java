package dev.arenal.arrow;

import java.lang.module.ModuleDescriptor;
import java.security.CodeSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.memory.AllocationManager;
import org.jspecify.annotations.Nullable;

/**
 * Checks that Arrow is new enough. An old version would work for a while, and fail at the first
 * stream: on this Java it cannot make a {@code ByteBuffer} of a buffer.
 */
final class ArrowVersion {
  private static final int LEAST_MAJOR = 13;
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})\\..*");

  /** The begin of the title in the manifest of each of its jars. */
  private static final String TITLE = "Arrow";

  /** The modules of it: with a name of their own, and with that of an older jar. */
  private static final Pattern MODULE = Pattern.compile("(org\\.apache\\.)?arrow\\..*");

  private ArrowVersion() {}

  /**
   * Checks the loaded version, from any jar: of several jars the first one counts.
   *
   * @throws LinkageError if it is too old; not an exception, which Arrow would wrap
   */
  static void check() {
    Class<?> type = AllocationManager.class;
    String version = version(type);
    if (isTooOld(version)) {
      throw new LinkageError(
          "Arrow is too old: artifact=arrow-memory-core, version="
              + version
              + ", from="
              + source(type)
              + " (expected 13 or later, in all of Arrow's jars and before any other on the class"
              + " path; tested with 13 to 19)");
    }
  }

  /** An unknown version, as in a jar that merges others, passes. */
  static boolean isTooOld(@Nullable String version) {
    if (version == null) {
      return false;
    }
    Matcher numbers = NUMBERS.matcher(version);
    return numbers.matches() && Integer.parseInt(numbers.group(1)) < LEAST_MAJOR;
  }

  private static @Nullable String version(Class<?> type) {
    ModuleDescriptor module = type.getModule().getDescriptor();
    // A jar put together of others may have the version of the program.
    if (module != null) {
      return MODULE.matcher(module.name()).matches() ? module.rawVersion().orElse(null) : null;
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
