package dev.arenal.lab.confined;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One thing that is measured.
 *
 * @param sizeBytes what the arena gives out at a time
 * @param isVirtual whether the thread is a virtual one
 */
@JsonIncludeProperties({"shape", "sizeBytes", "threads", "factory"})
public record ConfinedCell(Shape shape, int sizeBytes, boolean isVirtual, Factory factory) {
  private static final String VIRTUAL = "virtual";
  private static final String PLATFORM = "platform";

  @JsonCreator
  static ConfinedCell read(
      @JsonProperty("shape") Shape shape,
      @JsonProperty("sizeBytes") int sizeBytes,
      @JsonProperty("threads") String threads,
      @JsonProperty("factory") Factory factory) {
    return new ConfinedCell(shape, sizeBytes, threads.equals(VIRTUAL), factory);
  }

  /** The same with arenas of another factory. */
  public ConfinedCell with(Factory other) {
    return new ConfinedCell(shape, sizeBytes, isVirtual, other);
  }

  /** The kind of thread as results call it. */
  @JsonProperty
  public String threads() {
    return isVirtual ? VIRTUAL : PLATFORM;
  }

  /** In few words, for messages. */
  public String describe() {
    return "shape=%s, sizeBytes=%d, threads=%s, factory=%s"
        .formatted(shape.label(), sizeBytes, threads(), factory.label());
  }

  /** Whether the benchmark itself starts virtual threads. */
  private boolean isRunOnVirtualThread() {
    return isVirtual && shape != Shape.CROWD;
  }

  /** As the program that runs it wants it. */
  String line() {
    String size = shape.isSized() ? " sizeBytes=" + sizeBytes : "";
    return "cell %s %s factory=%s%s"
        .formatted(
            isRunOnVirtualThread() ? VIRTUAL : PLATFORM,
            shape.benchmark(factory),
            factory.label(),
            size);
  }

  /** Whether JMH means this one. */
  boolean isOf(String benchmark, boolean isOnVirtualThread, String factoryName, String size) {
    return benchmark.equals(shape.benchmark(factory))
        && isOnVirtualThread == isRunOnVirtualThread()
        && factoryName.equals(factory.label())
        && (!shape.isSized() || size.equals(String.valueOf(sizeBytes)));
  }
}
