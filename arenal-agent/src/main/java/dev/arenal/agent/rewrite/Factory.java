package dev.arenal.agent.rewrite;

import dev.arenal.agent.runtime.ConfinedArenas;

/** The methods that a call site may call instead: those of {@link ConfinedArenas}. */
public enum Factory {
  POOLED("pooled"),
  POOLED_COUNTED("pooledCounted"),
  JDK_COUNTED("jdkCounted");

  private final String method;

  Factory(String method) {
    this.method = method;
  }

  String method() {
    return method;
  }

  /** Of the method that is added to a class which does not see {@link ConfinedArenas}. */
  String bridgeMethod() {
    return "$arenal$" + method;
  }
}
