package dev.arenal.agent.rewrite;

import dev.arenal.agent.runtime.AgentOutput;
import java.util.concurrent.atomic.AtomicBoolean;

/** Prints the outcome for each class, if an option asks for it. */
public final class RewriteLog {
  private final boolean isVerbose;
  private final AtomicBoolean hasToldOfOtherTool = new AtomicBoolean();

  /** A log that says something, or nothing. */
  public RewriteLog(boolean isVerbose) {
    this.isVerbose = isVerbose;
  }

  void seen(String className, ClassRewrite rewrite) {
    if (rewrite.reasons().contains(LeftAlone.DISTURBED) && !hasToldOfOtherTool.getAndSet(true)) {
      // A user that asked for nothing expects a pool, and would not learn that there is none.
      AgentOutput.line(
          "another tool has put code that may throw between try blocks and the closing of their"
              + " arenas, and such sites are left alone: class="
              + className.replace('/', '.')
              + " (the first one; summary counts them, sites=all pools them too)");
    }
    if (isVerbose) {
      StringBuilder line = new StringBuilder("class=").append(className.replace('/', '.'));
      line.append(", sites=").append(rewrite.siteCount());
      line.append(", rewritten=").append(rewrite.rewrittenCount());
      for (LeftAlone reason : rewrite.reasons()) {
        line.append(", leftAlone=").append(reason.label());
      }
      AgentOutput.line(line.toString());
    }
  }

  void leftAlone(String className, LeftAlone reason, Throwable cause) {
    if (isVerbose) {
      AgentOutput.line(
          "class="
              + className.replace('/', '.')
              + ", leftAlone="
              + reason.label()
              + ", cause="
              + cause);
    }
  }
}
