package dev.arenal.agent.histogram;

import java.io.File;
import java.time.Instant;

/**
 * Describes a run beside its figures. Without the program's arguments, which may be secret.
 *
 * @param program the main class, or the name of the jar
 * @param pid the process
 * @param jvm the version of the JVM
 * @param pooledSites the sites that were pooled: {@code try-with-resources}, {@code all}, {@code
 *     none}
 * @param started when the agent started
 */
public record RunFacts(String program, long pid, String jvm, String pooledSites, Instant started) {
  /** The facts of this JVM. */
  public static RunFacts ofThisJvm(String pooledSites) {
    String command = System.getProperty("sun.java.command", "").strip();
    String name = programName(command, System.getProperty("java.class.path", ""));
    return new RunFacts(
        name,
        ProcessHandle.current().pid(),
        Runtime.version().toString(),
        pooledSites,
        Instant.now());
  }

  /**
   * The first word of the command, without its folders. A jar, whose name may have spaces, is also
   * the first of the class path.
   */
  static String programName(String command, String classPath) {
    int entryEnd = classPath.indexOf(File.pathSeparatorChar);
    String entry = entryEnd < 0 ? classPath : classPath.substring(0, entryEnd);
    boolean isJar = !entry.isEmpty() && (command + " ").startsWith(entry + " ");
    int end = command.indexOf(' ');
    String first = isJar ? entry : end < 0 ? command : command.substring(0, end);
    return first.substring(1 + Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')));
  }
}
