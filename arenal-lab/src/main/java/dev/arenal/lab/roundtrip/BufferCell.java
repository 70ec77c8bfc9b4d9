package dev.arenal.lab.roundtrip;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.jmh.JmhCell;
import dev.arenal.lab.jmh.JmhThreads;
import java.util.Map;

/**
 * One thing that is measured.
 *
 * @param threadCount how many share the allocator
 * @param isHandedOver whether another thread frees the buffer
 */
public record BufferCell(
    BufferAllocator allocator,
    int sizeBytes,
    @JsonProperty("threads") int threadCount,
    @JsonProperty("handedOver") boolean isHandedOver)
    implements JmhCell {

  private static final String PACKAGE = "dev.arenal.bench.buffers.";

  /** The same with another allocator. */
  public BufferCell with(BufferAllocator other) {
    return new BufferCell(other, sizeBytes, threadCount, isHandedOver);
  }

  @Override
  public String benchmark() {
    return PACKAGE + (isHandedOver ? "BuffersHandedOver." : "Buffers.") + allocator.method();
  }

  @Override
  public Map<String, String> params() {
    return Map.of("sizeBytes", String.valueOf(sizeBytes));
  }

  @Override
  public JmhThreads threads() {
    return JmhThreads.NETTY;
  }

  /** Of Netty's classes. */
  @Override
  public int startMillis() {
    return 2000;
  }

  /** More threads come to an end of an iteration later. */
  @Override
  public int aroundMillis() {
    return 100 + 20 * threadCount;
  }

  /** A program uses all sizes in one process, too. */
  @Override
  public boolean isJvmShared() {
    return true;
  }

  @Override
  public String preload() {
    HeapKind heap = allocator.heap();
    return heap != null && heap.isPreloaded() ? HeapLibraries.variable(allocator) : "";
  }

  @Override
  public String describe() {
    return "allocator=%s, sizeBytes=%d, threadCount=%d, isHandedOver=%b"
        .formatted(allocator.label(), sizeBytes, threadCount, isHandedOver);
  }

  @Override
  public String step() {
    return "%s %d, %s%s"
        .formatted(
            allocator.label(),
            sizeBytes,
            Figures.threads(threadCount),
            isHandedOver ? ", handed over" : "");
  }
}
