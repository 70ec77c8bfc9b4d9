package dev.arenal.lab.jvm;

/** What is to be done if this JVM ends meanwhile, as on Ctrl-C; closed when it need not be. */
public final class EndHook implements AutoCloseable {
  private final Thread thread;

  private EndHook(Thread thread) {
    this.thread = thread;
  }

  /** Does that at the end of this JVM, unless it is closed before. */
  public static EndHook of(Runnable action) {
    Thread thread = new Thread(action);
    Runtime.getRuntime().addShutdownHook(thread);
    return new EndHook(thread);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook does its work.
      return;
    }
  }
}
