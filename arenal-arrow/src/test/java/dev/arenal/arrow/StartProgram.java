package dev.arenal.arrow;

import dev.arenal.arrow.use.OneBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/** A program that uses Arrow as far as its arguments say. */
final class StartProgram {
  private static final int VALUE_COUNT = 1000;

  private StartProgram() {}

  /** Prints what has worked. */
  public static void main(String[] args) throws Exception {
    for (String step : args) {
      switch (step) {
        case "buffer" -> System.out.println("buffer: " + OneBuffer.sizeBytes());
        case "vector" -> vector();
        case "stream" -> stream();
        case "limit" -> limit();
        default -> throw new IllegalArgumentException(step);
      }
    }
  }

  private static void vector() {
    try (BufferAllocator root = Roots.over(ArenalAllocationManager.FACTORY);
        IntVector vector = filled(root)) {
      System.out.println("vector: " + vector.get(VALUE_COUNT - 1));
    }
  }

  private static IntVector filled(BufferAllocator root) {
    IntVector vector = new IntVector("numbers", root);
    vector.allocateNew(VALUE_COUNT);
    for (int i = 0; i < VALUE_COUNT; i++) {
      vector.set(i, i);
    }
    vector.setValueCount(VALUE_COUNT);
    return vector;
  }

  /** Needs byte buffers at addresses, which Arrow makes by reflection. */
  private static void stream() throws Exception {
    try (BufferAllocator root = Roots.over(ArenalAllocationManager.FACTORY);
        VectorSchemaRoot batch = new VectorSchemaRoot(List.of(filled(root)))) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, bytes)) {
        writer.writeBatch();
      }
      try (ArrowStreamReader reader =
          new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), root)) {
        System.out.println("read: " + reader.loadNextBatch());
        IntVector read = (IntVector) reader.getVectorSchemaRoot().getVector(0);
        System.out.println("stream: " + read.get(VALUE_COUNT - 1));
      }
    }
  }

  /** More than a limit of 16 MiB. */
  private static void limit() {
    String outcome;
    try (BufferAllocator root = Roots.over(ArenalAllocationManager.FACTORY)) {
      outcome = take(root);
    }
    System.out.println(outcome);
  }

  private static String take(BufferAllocator root) {
    try (ArrowBuf buffer = root.buffer(32 << 20)) {
      return "no limit: " + buffer.capacity();
    } catch (OutOfMemoryException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
