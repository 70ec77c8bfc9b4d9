package dev.arenal.lab.firstuse;

import dev.arenal.lab.result.Labelled;

/** A part that is used for the first time: each ends with 100 bytes that may be written to. */
public enum FirstUseSubject implements Labelled {
  JDK_CONFINED("JDK, confined arena"),
  POOLED("Arenal, pooled arena"),
  ELASTIC("Arenal, space and arena"),
  PAGE("Arenal, page allocator and buffer"),
  NETTY("Netty, default allocator and buffer");

  private final String words;

  FirstUseSubject(String words) {
    this.words = words;
  }

  /** Its name in tables. */
  public String words() {
    return words;
  }
}
