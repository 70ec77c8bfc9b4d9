package dev.arenal.lab.jvm;

/** A process and what it has started: the word java may be a script around the JVM. */
final class ProcessTree {
  private ProcessTree() {}

  static void kill(Process process) {
    // First those below: of a process that is gone nobody knows the children.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
