package dev.arenal.lab.pretouch;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/** A collector of the JVM, each with a way of its own to touch the heap. */
public enum Collector {
  SERIAL("Serial", "-XX:+UseSerialGC"),
  PARALLEL("Parallel", "-XX:+UseParallelGC"),
  G1("G1", "-XX:+UseG1GC"),
  ZGC("ZGC", "-XX:+UseZGC");

  /** Before it, ZGC is an experiment that must be unlocked. */
  private static final int FIRST_PRODUCT_ZGC = 15;

  private final String label;
  private final String flag;

  Collector(String label, String flag) {
    this.label = label;
    this.flag = flag;
  }

  /** Its name in tables and JSON. */
  @JsonValue
  public String label() {
    return label;
  }

  /** The options that choose it in a JVM of this feature version. */
  List<String> flags(int feature) {
    return this == ZGC && feature < FIRST_PRODUCT_ZGC
        ? List.of("-XX:+UnlockExperimentalVMOptions", flag)
        : List.of(flag);
  }
}
