package dev.arenal.os;

import dev.arenal.guard.FirstUse;
import dev.arenal.guard.FreshStack;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The operating system that this JVM runs on, made at the first use.
 *
 * <p>Linking native functions needs more stack than a caller may have left, and a class whose
 * initialization ends by a stack overflow is unusable for ever. So it is done {@linkplain
 * FreshStack in a thread of its own}, all that is used later included.
 */
final class Platform {
  private static @Nullable OperatingSystem current;

  private Platform() {}

  static synchronized OperatingSystem current() {
    FirstUse.ofMemory();
    OperatingSystem known = current;
    if (known == null) {
      requireSupported();
      known = make();
      current = known;
    }
    return known;
  }

  private static void requireSupported() {
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
  }

  private static OperatingSystem make() {
    Maker maker = new Maker();
    FreshStack.run(maker);
    if (maker.made == null) {
      throw new IllegalStateException("the operating system was not made");
    }
    return maker.made;
  }

  /** No lambda: linking one is no work for the caller's stack. */
  private static final class Maker implements Runnable {
    private @Nullable OperatingSystem made;

    @Override
    public void run() {
      NativeMemory.prepare();
      made = new LinuxOperatingSystem();
    }
  }
}
