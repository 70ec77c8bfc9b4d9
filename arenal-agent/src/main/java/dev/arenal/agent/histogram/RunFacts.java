package dev.arenal.agent.histogram;

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
    int end = command.indexOf(' ');
    String first = end < 0 ? command : command.substring(0, end);
    String name = first.substring(1 + Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\')));
    return new RunFacts(
        name,
        ProcessHandle.current().pid(),
        Runtime.version().toString(),
        pooledSites,
        Instant.now());
  }
}
