package dev.arenal.lab.firstuse;

import com.fasterxml.jackson.annotation.JsonValue;

/** A part that is used for the first time: each ends with 100 bytes that may be written to. */
public enum FirstUseSubject {
  JDK_CONFINED("jdk-confined", "JDK, confined arena"),
  POOLED("pooled", "Arenal, pooled arena"),
  ELASTIC("elastic", "Arenal, space and arena"),
  PAGE("page", "Arenal, page allocator and buffer"),
  NETTY("netty", "Netty, default allocator and buffer");

  private final String label;
  private final String words;

  FirstUseSubject(String label, String words) {
    this.label = label;
    this.words = words;
  }

  /** Its name in JSON and messages, and for the program that uses it. */
  @JsonValue
  public String label() {
    return label;
  }

  /** Its name in tables. */
  public String words() {
    return words;
  }
}
