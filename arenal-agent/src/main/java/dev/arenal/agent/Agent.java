package dev.arenal.agent;

import dev.arenal.agent.runtime.AgentOutput;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * The entry points that the JVM calls for {@code -javaagent} and for an attached agent. Nothing is
 * thrown from here: it would end the program that is about to start.
 */
public final class Agent {
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
    try {
      RunningAgent.start(options, instrumentation);
    } catch (Throwable e) {
      AgentOutput.line("could not start: cause=" + e + " (the program runs on without it)");
    }
  }
}
