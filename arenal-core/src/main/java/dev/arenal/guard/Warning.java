package dev.arenal.guard;

/**
 * A warning that is logged by a thread of its own. A logger is the program's code: it may use this
 * library, wait for other threads, or fail, and callers may hold locks of their own. The thread is
 * no daemon, so that a program that ends at once is told, too; a logger that never returns keeps
 * the JVM alive.
 */
public final class Warning implements Runnable {
  private final String message;

  private Warning(String message) {
    this.message = message;
  }

  /**
   * Begins to log it, and does not wait.
   *
   * @return false if there is neither a thread nor Java heap for that: to be told later
   */
  public static boolean tell(String message) {
    try {
      Thread thread = DaemonThreads.unstarted("arenal-warning", new Warning(message));
      thread.setDaemon(false);
      // A logger may be one of many, by application.
      thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
      thread.start();
      return true;
    } catch (OutOfMemoryError | StackOverflowError e) {
      return false;
    }
  }

  @Override
  public void run() {
    try {
      System.getLogger("dev.arenal").log(System.Logger.Level.WARNING, message);
    } catch (Throwable e) { // nothing to warn with is no reason to fail
      Thread.onSpinWait();
    }
  }
}
