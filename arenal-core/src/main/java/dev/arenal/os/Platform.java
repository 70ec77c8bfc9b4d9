package dev.arenal.os;

import static java.util.Objects.requireNonNull;

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
  private static volatile @Nullable OperatingSystem current;

  /** Makes it; begun beside a caller that will come for it. Under the monitor of this class. */
  private static @Nullable Maker maker;

  private Platform() {}

  /**
   * Has it made beside the caller, which comes for it soon: to link a function takes as long as all
   * else that a first use of the library loads.
   */
  static synchronized void prepare() {
    if (current == null && maker == null && isSupported()) {
      maker = Maker.start();
    }
  }

  static OperatingSystem current() {
    OperatingSystem known = current;
    if (known == null) {
      requireSupported();
      FirstUse.ofMemory();
      known = settled(maker().await()); // without the monitor, as in FirstUse
    }
    return known;
  }

  private static synchronized Maker maker() {
    Maker last = maker;
    if (last == null || last.hasFailed()) {
      last = Maker.start();
      maker = last;
    }
    return last;
  }

  /** There is one of them, with its books, whoever made another. */
  private static synchronized OperatingSystem settled(OperatingSystem made) {
    OperatingSystem first = current;
    if (first == null) {
      first = made;
      current = made;
      maker = null;
    }
    return first;
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

  /** No lambda: linking one is no work for the caller's stack. */
  private static final class Maker implements Runnable {
    private SeparateStack.@Nullable Running running;
    private @Nullable OperatingSystem made;

    static Maker start() {
      Maker maker = new Maker();
      maker.running = SeparateStack.start(maker);
      return maker;
    }

    OperatingSystem await() {
      try {
        requireNonNull(running).await();
      } catch (IllegalCallerException e) {
        // With the stack of the caller: that of the other thread does not show where it was asked.
        throw new IllegalCallerException(e.getMessage(), e);
      }
      return requireNonNull(made);
    }

    /** Also if there was no thread for it, and the one that awaits it makes it. */
    boolean hasFailed() {
      return !requireNonNull(running).isAlive() && made == null;
    }

    @Override
    public void run() {
      NativeMemory.checkAllowed(); // before a static initializer fails by it, and for ever
      NativeMemory.prepare();
      made = new LinuxOperatingSystem();
    }
  }
}
