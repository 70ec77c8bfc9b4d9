package dev.arenal.lab.jvm;

/** A process and what it has started: the word java may be a script around the JVM. */
public final class ProcessTree {
  private ProcessTree() {}

  /** Ends all of them, at once. */
  public static void kill(Process process) {
    // First those below: of a process that is gone nobody knows the children.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
