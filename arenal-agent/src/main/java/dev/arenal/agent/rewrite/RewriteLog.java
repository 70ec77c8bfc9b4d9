package dev.arenal.agent.rewrite;

import dev.arenal.agent.runtime.AgentOutput;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Counts rewritten and other sites since the start, and prints the outcome for each class, if an
 * option asks for it. Safe for use by any thread.
 */
public final class RewriteLog {
  private final boolean isVerbose;
  private final Consumer<String> output;
  private final AtomicBoolean hasToldOfOtherTool = new AtomicBoolean();
  private final LongAdder classes = new LongAdder();
  private final LongAdder sites = new LongAdder();
  private final Map<LeftAlone, LongAdder> sitesLeft = adders();
  private final Map<LeftAlone, LongAdder> classesLeft = adders();

  /** A log that says something, or only counts. */
  public RewriteLog(boolean isVerbose) {
    this(isVerbose, AgentOutput::line);
  }

  RewriteLog(boolean isVerbose, Consumer<String> output) {
    this.isVerbose = isVerbose;
    this.output = output;
  }

  /** Filled here and only read afterwards, so that threads need no lock. */
  private static Map<LeftAlone, LongAdder> adders() {
    Map<LeftAlone, LongAdder> adders = new EnumMap<>(LeftAlone.class);
    for (LeftAlone reason : LeftAlone.values()) {
      adders.put(reason, new LongAdder());
    }
    return Collections.unmodifiableMap(adders);
  }

  private static void increment(Map<LeftAlone, LongAdder> adders, LeftAlone reason) {
    LongAdder adder = adders.get(reason);
    if (adder != null) {
      adder.increment();
    }
  }

  void seen(String className, ClassRewrite rewrite) {
    if (rewrite.rewrittenCount() > 0) {
      classes.increment();
      sites.add(rewrite.rewrittenCount());
    }
    rewrite.reasons().forEach(reason -> increment(sitesLeft, reason));
    if (rewrite.reasons().contains(LeftAlone.DISTURBED) && !hasToldOfOtherTool.getAndSet(true)) {
      // A user that asked for nothing expects a pool, and would not learn that there is none.
      output.accept(
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
      output.accept(line.toString());
    }
  }

  /** The JVM did not take a class after all. */
  void takeBack(int siteCount) {
    classes.decrement();
    sites.add(-siteCount);
  }

  void leftAlone(String className, LeftAlone reason, Throwable cause) {
    increment(classesLeft, reason);
    if (isVerbose) {
      output.accept(
          "class="
              + className.replace('/', '.')
              + ", leftAlone="
              + reason.label()
              + ", cause="
              + cause);
    }
  }

  /** All counts in one line. */
  public String summary() {
    return "classesRewritten="
        + classes.sum()
        + ", sitesRewritten="
        + sites.sum()
        + ", sitesLeftAlone="
        + withReasons(sitesLeft)
        + ", classesLeftAlone="
        + withReasons(classesLeft);
  }

  private static String withReasons(Map<LeftAlone, LongAdder> adders) {
    long total = 0;
    StringBuilder reasons = new StringBuilder();
    for (Map.Entry<LeftAlone, LongAdder> entry : adders.entrySet()) {
      long count = entry.getValue().sum();
      total += count;
      if (count > 0) {
        reasons.append(reasons.isEmpty() ? " (" : ", ").append(entry.getKey().label());
        reasons.append(": ").append(count);
      }
    }
    return reasons.isEmpty() ? "0" : total + reasons.append(')').toString();
  }
}
