package dev.arenal.guard;

/**
 * Makes the daemon threads of the library. A thread inherits nothing from the caller that happens
 * to need it first, neither thread locals nor a context class loader, which may be a plugin's.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** A thread that is not started yet. */
  public static Thread unstarted(String name, Runnable task) {
    // No builder, which is five classes more at the first use of the library.
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }
}
