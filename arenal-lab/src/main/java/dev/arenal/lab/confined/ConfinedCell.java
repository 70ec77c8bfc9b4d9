package dev.arenal.lab.confined;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.jmh.JmhCell;
import dev.arenal.lab.jmh.JmhThreads;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One thing that is measured.
 *
 * @param sizeBytes what the arena gives out at a time
 * @param isVirtual whether the thread is a virtual one
 */
@JsonIncludeProperties({"shape", "sizeBytes", "threads", "factory"})
public record ConfinedCell(Shape shape, int sizeBytes, boolean isVirtual, Factory factory)
    implements JmhCell {
  @JsonCreator
  static ConfinedCell read(
      @JsonProperty("shape") Shape shape,
      @JsonProperty("sizeBytes") int sizeBytes,
      @JsonProperty("threads") String threads,
      @JsonProperty("factory") Factory factory) {
    return new ConfinedCell(shape, sizeBytes, threads.equals(JmhThreads.VIRTUAL.label()), factory);
  }

  /** The same with arenas of another factory. */
  public ConfinedCell with(Factory other) {
    return new ConfinedCell(shape, sizeBytes, isVirtual, other);
  }

  /** The kind of thread as results call it. */
  @JsonProperty("threads")
  public String threadKind() {
    return (isVirtual ? JmhThreads.VIRTUAL : JmhThreads.PLATFORM).label();
  }

  @Override
  public String describe() {
    return "shape=%s, sizeBytes=%d, threads=%s, factory=%s"
        .formatted(shape.label(), sizeBytes, threadKind(), factory.label());
  }

  @Override
  public String step() {
    return "%s %d %s".formatted(shape.label(), sizeBytes, factory.label());
  }

  @Override
  public String benchmark() {
    return shape.benchmark(factory);
  }

  /** A crowd starts its virtual threads itself. */
  @Override
  public JmhThreads threads() {
    return isVirtual && shape != Shape.CROWD ? JmhThreads.VIRTUAL : JmhThreads.PLATFORM;
  }

  @Override
  public Map<String, String> params() {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("factory", factory.label());
    if (shape.isSized()) {
      params.put("sizeBytes", String.valueOf(sizeBytes));
    }
    return params;
  }
}
