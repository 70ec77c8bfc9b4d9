package dev.arenal.lab.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flags a JVM is run with: a heap of fixed size, touched at the start, and one thread that
 * collects it; so what changes in the resident size is not the heap. The user's flags come last.
 *
 * @param words all of them
 * @param heapBytes the size of the heap
 */
record JvmFlags(List<String> words, long heapBytes) {
  private static final long MIB = 1024 * 1024;
  private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w*GC");
  private static final Pattern HEAP =
      Pattern.compile(
          "(?:-Xmx|-Xms|-XX:MaxHeapSize=|-XX:InitialHeapSize=)(\\d{1,15})([kKmMgGtT]?)");

  static JvmFlags of(JvmSpec spec, WorkloadShape shape) {
    long heapBytes = shape.heapBytes();
    boolean hasCollector = false;
    for (String flag : spec.flags()) {
      hasCollector |= COLLECTOR.matcher(flag).matches();
      Matcher heap = HEAP.matcher(flag);
      if (heap.matches()) {
        // Whichever of the two the user gives, both get it: the heap is to have a fixed size.
        long unitBytes = unitBytes(heap.group(2));
        long count = Long.parseLong(heap.group(1));
        heapBytes = count > Long.MAX_VALUE / unitBytes ? Long.MAX_VALUE : count * unitBytes;
      }
    }
    List<String> words = new ArrayList<>();
    words.add("-XX:+AlwaysPreTouch");
    words.add("-Xms" + heapText(heapBytes));
    words.add("-Xmx" + heapText(heapBytes));
    if (!hasCollector) {
      words.add("-XX:+UseSerialGC");
    }
    spec.flags().stream().filter(flag -> !HEAP.matcher(flag).matches()).forEach(words::add);
    return new JvmFlags(List.copyOf(words), heapBytes);
  }

  private static String heapText(long bytes) {
    return bytes % MIB == 0 ? bytes / MIB + "m" : String.valueOf(bytes);
  }

  private static long unitBytes(String unit) {
    return switch (unit) {
      case "k", "K" -> 1L << 10;
      case "m", "M" -> 1L << 20;
      case "g", "G" -> 1L << 30;
      case "t", "T" -> 1L << 40;
      default -> 1;
    };
  }
}
