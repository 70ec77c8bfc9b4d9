package dev.arenal.os;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The operating system that this JVM runs on, made at the first use.
 *
 * <p>Linking native functions needs more stack than a caller may have left, and a class whose
 * initialization ends by a stack overflow is unusable for ever. So it is done by a thread of its
 * own, with a stack of its own, all that is used later included. Whether the caller is interrupted
 * does not matter to it.
 */
final class Platform {
  /** Some ten times of what it takes. */
  private static final long STACK_BYTES = 2 << 20;

  private static @Nullable OperatingSystem current;

  private Platform() {}

  static synchronized OperatingSystem current() {
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
    Thread thread = new Thread(null, maker, "arenal-link", STACK_BYTES, false);
    thread.setDaemon(true);
    boolean isStarted = false;
    try {
      thread.start();
      isStarted = true;
    } catch (OutOfMemoryError e) { // no thread more: here, then
      maker.run();
    }
    if (isStarted) {
      join(thread);
    }
    return maker.result();
  }

  private static void join(Thread thread) {
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What it has made or failed with is read after the thread has ended. */
  private static final class Maker implements Runnable {
    private @Nullable OperatingSystem made;
    private @Nullable Throwable failure;

    @Override
    public void run() {
      try {
        NativeMemory.prepare();
        made = new LinuxOperatingSystem();
      } catch (Throwable e) { // for the caller
        failure = e;
      }
    }

    OperatingSystem result() {
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      if (failure instanceof Error error) {
        throw error;
      }
      if (made == null) {
        throw new IllegalStateException("the operating system was not made", failure);
      }
      return made;
    }
  }
}
