package dev.arenal.guard;

/**
 * Makes the daemon threads of the library. A thread inherits nothing from the caller that happens
 * to need it first, neither thread locals nor a context class loader, which may be a plugin's.
 */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** A thread that is not started yet. */
  public static Thread unstarted(String name, Runnable task) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name(name)
            .inheritInheritableThreadLocals(false)
            .unstarted(task);
    thread.setContextClassLoader(null);
    return thread;
  }
}
