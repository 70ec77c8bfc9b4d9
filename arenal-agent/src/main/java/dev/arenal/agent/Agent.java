package dev.arenal.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * The entry points that the JVM calls for {@code -javaagent} and for an attached agent. Nothing is
 * thrown from here: it would end the program that is about to start.
 *
 * <p>This class alone is compiled for Java 8 in the jar, so that an older JVM can be told. It may
 * use nothing that is newer, and names no other class where it is loaded.
 */
public final class Agent {
  /** Of the class files of all others. */
  private static final double CLASS_VERSION = 69;

  private Agent() {}

  /** Before the program's main method. */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  /** Attached to a running program. */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation) {
    start(options, instrumentation);
  }

  private static void start(@Nullable String options, Instrumentation instrumentation) {
    if (Double.parseDouble(System.getProperty("java.class.version")) < CLASS_VERSION) {
      System.err.println(
          "arenal-agent: this JVM is too old: version="
              + System.getProperty("java.specification.version")
              + " (expected JDK 25 or later; the program runs as without the agent)");
      return;
    }
    Starter.start(options, instrumentation);
  }
}
