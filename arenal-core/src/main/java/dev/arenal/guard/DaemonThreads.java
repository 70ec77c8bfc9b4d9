package dev.arenal.guard;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * Makes the daemon threads of the library. A thread inherits nothing from the caller that happens
 * to need it first, neither thread locals nor a context class loader, which may be a plugin's.
 */
public final class DaemonThreads {
  private static @Nullable Cleaner cleaner;

  private DaemonThreads() {}

  /**
   * The one cleaner of the library, whose thread starts at the first use. Where that fails, the
   * next use tries again.
   *
   * <p>An action may take locks and wait, and those behind it wait with it: {@link LostHandle} for
   * Java heap, and for a logger. So no thread ever waits for an action, and what it gives back is
   * not lost if it comes late.
   */
  public static synchronized Cleaner cleaner() {
    Cleaner known = cleaner;
    if (known == null) {
      known = Cleaner.create();
      cleaner = known;
    }
    return known;
  }

  /** A thread that is not started yet. */
  public static Thread unstarted(String name, Runnable task) {
    // No builder, which is five classes more at the first use of the library.
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }
}
