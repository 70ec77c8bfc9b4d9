package dev.arenal.agent;

import dev.arenal.agent.runtime.AgentOutput;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** Starts the agent where it can run, and says so if that fails. */
final class Starter {
  private Starter() {}

  static void start(@Nullable String options, Instrumentation instrumentation) {
    try {
      RunningAgent.start(options, instrumentation);
    } catch (Throwable e) {
      AgentOutput.line("could not start: cause=" + e + " (the program runs on without it)");
    }
  }
}
