package dev.arenal.agent.rewrite;

import dev.arenal.agent.runtime.AgentOutput;

/** Says what becomes of each class, if that was asked for. */
public final class RewriteLog {
  private final boolean isVerbose;

  /** A log that says something, or nothing. */
  public RewriteLog(boolean isVerbose) {
    this.isVerbose = isVerbose;
  }

  void seen(String className, ClassRewrite rewrite) {
    if (isVerbose) {
      StringBuilder line = new StringBuilder("class=").append(className.replace('/', '.'));
      line.append(", sites=").append(rewrite.countSites());
      line.append(", rewritten=").append(rewrite.countRewritten());
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
