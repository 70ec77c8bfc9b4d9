package dev.arenal.agent;

import dev.arenal.agent.runtime.ConfinedArenas;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/** Checks whether the JVM lets the agent use a pool. Done once, by using it. */
final class NativeAccess {
  private NativeAccess() {}

  /** The reason why nothing can be pooled, and the remedy; null if everything can be. */
  static @Nullable String refusal() {
    try {
      checkRestrictedMethod();
      try (Arena arena = ConfinedArenas.pooled()) {
        var _ = arena.allocate(1);
      }
      return null;
    } catch (Throwable e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof IllegalCallerException) {
          return "native access is denied, so nothing is pooled: module=ALL-UNNAMED (add"
              + " --enable-native-access=ALL-UNNAMED to the java command; the program runs as"
              + " without the agent)";
        }
      }
      return "the pool does not work here, so nothing is pooled: cause="
          + e
          + " (the program runs as without the agent)";
    }
  }

  /** Calls a method that a pool needs. Without an option for native access, the JVM warns once. */
  @SuppressWarnings("restricted")
  private static void checkRestrictedMethod() {
    if (!NativeAccess.class.getModule().isNativeAccessEnabled()) {
      var _ = java.lang.foreign.MemorySegment.NULL.reinterpret(0);
    }
  }
}
