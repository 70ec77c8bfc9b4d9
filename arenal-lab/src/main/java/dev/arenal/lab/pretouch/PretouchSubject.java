package dev.arenal.lab.pretouch;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.arenal.lab.result.Labelled;
import org.jspecify.annotations.Nullable;

/**
 * One way to make memory resident, with the program that does it: one row of the tables.
 *
 * @param kind a JVM, Arenal, or the kernel without anything around it
 * @param jvm the label of the JVM; null if it is none
 * @param collector null if it is no JVM
 * @param pretouch whether memory is touched at all
 * @param hugePages whether transparent huge pages are asked for
 * @param method how it is touched
 * @param threadCount null: as many as the JVM takes
 */
public record PretouchSubject(
    @JsonProperty("subject") Kind kind,
    @Nullable String jvm,
    @Nullable Collector collector,
    boolean pretouch,
    boolean hugePages,
    Method method,
    @JsonProperty("threads") @Nullable Integer threadCount) {
  /** The program that does it. */
  public enum Kind implements Labelled {
    JVM,
    ARENAL,
    KERNEL
  }

  /** How it is done. */
  public enum Method {
    /** The heap is not touched. */
    NONE("none"),
    /** As the JVM does it: {@code -XX:+AlwaysPreTouch}. */
    ALWAYS_PRE_TOUCH("AlwaysPreTouch"),
    /** An atomic addition of zero in each page. */
    TOUCH("touch"),
    /** {@code MADV_POPULATE_WRITE}. */
    POPULATE("populate"),
    /** Zeros written into pages that are resident already. */
    CLEAR("clear");

    private final String label;

    Method(String label) {
      this.label = label;
    }

    /** Its name in tables and JSON. */
    @JsonValue
    public String label() {
      return label;
    }
  }

  /** A JVM with this collector. */
  public static PretouchSubject jvm(
      String jvm, Collector collector, boolean pretouch, boolean hugePages) {
    Method method = pretouch ? Method.ALWAYS_PRE_TOUCH : Method.NONE;
    return new PretouchSubject(Kind.JVM, jvm, collector, pretouch, hugePages, method, null);
  }

  /** Arenal by this method. */
  public static PretouchSubject arenal(Method method, boolean hugePages, int threadCount) {
    return new PretouchSubject(Kind.ARENAL, null, null, true, hugePages, method, threadCount);
  }

  /** A program in C by this method. */
  public static PretouchSubject kernel(Method method, boolean hugePages, int threadCount) {
    return new PretouchSubject(Kind.KERNEL, null, null, true, hugePages, method, threadCount);
  }

  /** The same JVM without the touching, to compare with; null of what is no JVM. */
  public @Nullable PretouchSubject untouched() {
    return jvm == null || collector == null ? null : jvm(jvm, collector, false, hugePages);
  }

  /** In a few words, for charts and messages. */
  public String label() {
    String pages = hugePages ? ", huge pages" : "";
    if (jvm != null && collector != null) {
      return jvm + " " + collector.label() + (pretouch ? ", AlwaysPreTouch" : "") + pages;
    }
    String name = kind == Kind.ARENAL ? "Arenal" : "C";
    return "%s, %s%s, %s".formatted(name, method.label(), pages, threads());
  }

  /** The number of threads in words. */
  private String threads() {
    return threadCount == null ? "-" : threadCount == 1 ? "1 thread" : threadCount + " threads";
  }
}
