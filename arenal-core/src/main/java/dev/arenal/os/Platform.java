package dev.arenal.os;

import dev.arenal.guard.FirstUse;
import dev.arenal.guard.SeparateStack;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The operating system that this JVM runs on, made at the first use.
 *
 * <p>Linking native functions needs more stack than a caller may have left, and a class whose
 * initialization ends by a stack overflow is unusable for ever. So it is done {@linkplain
 * SeparateStack in a thread of its own}, all that is used later included.
 */
final class Platform {
  private static @Nullable OperatingSystem current;

  /** The system that is being made, and the thread that makes it; both or none. */
  private static @Nullable Maker maker;

  private static SeparateStack.@Nullable Running running;

  private Platform() {}

  /**
   * Has it made beside the caller, which comes for it soon: to link a function takes as long as all
   * else that a first use of the library loads.
   */
  static synchronized void prepare() {
    if (current == null && running == null && isSupported()) {
      begin();
    }
  }

  static synchronized OperatingSystem current() {
    OperatingSystem known = current;
    if (known == null) {
      requireSupported();
      FirstUse.ofMemory();
      known = make();
      current = known;
    }
    return known;
  }

  private static boolean isSupported() {
    String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return System.getProperty("os.name", "").equals("Linux")
        && (architecture.equals("amd64") || architecture.equals("aarch64"));
  }

  private static void requireSupported() {
    if (!isSupported()) {
      throw new UnsupportedOperationException(
          "native memory is not supported here: os.name="
              + System.getProperty("os.name", "")
              + ", os.arch="
              + System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)
              + " (expected Linux on amd64 or aarch64)");
    }
  }

  private static SeparateStack.Running begin() {
    Maker begun = new Maker();
    SeparateStack.Running started = SeparateStack.start(begun);
    maker = begun; // no call in between: both or none
    running = started;
    return started;
  }

  private static OperatingSystem make() {
    SeparateStack.Running started = running;
    if (started == null) {
      started = begin();
    }
    Maker begun = maker;
    running = null; // one that has failed is not awaited again
    maker = null;
    started.await();
    if (begun != null && begun.denial != null) {
      // With the stack of the caller: that of the other thread does not show where it was asked.
      throw new IllegalCallerException(begun.denial.getMessage(), begun.denial);
    }
    if (begun == null || begun.made == null) {
      throw new IllegalStateException("the operating system was not made");
    }
    return begun.made;
  }

  /** No lambda: linking one is no work for the caller's stack. */
  private static final class Maker implements Runnable {
    private @Nullable OperatingSystem made;
    private @Nullable IllegalCallerException denial;

    @Override
    public void run() {
      try {
        NativeMemory.checkAllowed(); // before a static initializer fails by it, and for ever
      } catch (IllegalCallerException e) {
        denial = e;
        return;
      }
      NativeMemory.prepare();
      made = new LinuxOperatingSystem();
    }
  }
}
