package dev.arenal.agent.rewrite;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts of rewritten and other sites since the start. Safe for use by any thread. */
public final class RewriteCounts {
  private final LongAdder classes = new LongAdder();
  private final LongAdder sites = new LongAdder();
  private final Map<LeftAlone, LongAdder> sitesLeft = adders();
  private final Map<LeftAlone, LongAdder> classesLeft = adders();

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

  void addRewritten(int siteCount) {
    classes.increment();
    sites.add(siteCount);
  }

  /** The JVM did not take a class after all. */
  void takeBack(int siteCount) {
    classes.decrement();
    sites.add(-siteCount);
  }

  void addSiteLeft(LeftAlone reason) {
    increment(sitesLeft, reason);
  }

  void addClassLeft(LeftAlone reason) {
    increment(classesLeft, reason);
  }

  /** All of it in one line. */
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
