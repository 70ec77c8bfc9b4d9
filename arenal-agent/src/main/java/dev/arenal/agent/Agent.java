package dev.arenal.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** What the JVM calls for {@code -javaagent} and for an attached agent. */
public final class Agent {
  private Agent() {}

  /** Before the program's main method. */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {}

  /** Attached to a running program. */
  public static void agentmain(@Nullable String options, Instrumentation instrumentation) {}
}
