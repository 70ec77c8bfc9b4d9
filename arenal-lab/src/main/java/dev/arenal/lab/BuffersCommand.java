package dev.arenal.lab;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.jmh.JmhRun;
import dev.arenal.lab.report.BuffersSection;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.roundtrip.BufferAllocator;
import dev.arenal.lab.roundtrip.BufferCell;
import dev.arenal.lab.roundtrip.BuffersPlan;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal buffers}: what one buffer costs that any thread frees, by JMH. */
@Command(
    name = "buffers",
    header = "Measures the cost of one buffer: allocate, touch each OS page, free.",
    description = {
      "",
      "Sizes are 64 B to 4 MiB; 1, 2, 4 and 16 threads share the allocator; a buffer is freed by"
          + " the same thread, or handed over to another one. Arenal's PageAllocator, zeroed and"
          + " not, is compared with Netty's adaptive and pooled allocators, malloc, jemalloc and"
          + " mimalloc where installed, Arena.ofShared(), and a control that only touches memory."
          + " Only arenal-zeroed and jdk-shared zero memory.",
      "",
      "JMH measures in rounds, in which the allocators take turns. One JVM measures all sizes with"
          + " one allocator, one number of threads, and one way to free. A time is the number of"
          + " threads divided by the buffers per second of all threads; the median of the"
          + " iterations is shown, and ± is half of its 99 %% confidence interval. Nothing else"
          + " should run on the machine meanwhile. Arena.ofShared() is measured on up to 2"
          + " threads, unless it is the only allocator. One buffer at a time is the best case for"
          + " caches; arenal churn has random lifetimes and sizes.",
      ""
    },
    footer = {
      "  arenal buffers --quick         two sizes, one and two threads, 2 minutes",
      "  arenal buffers --out report/   all sizes and threads, half an hour",
      "  arenal buffers --threads 1,8 --sizes 256,64k --allocators arenal,malloc",
      "  arenal buffers --quick --json -",
    })
final class BuffersCommand extends JmhCommand<BufferCell> {
  private static final List<BufferAllocator> ALL = List.of(BufferAllocator.values());

  @Option(
      names = "--quick",
      description = "Two sizes on one and two threads, one round: some 2 minutes.")
  private boolean isQuick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of measurements, each in new JVMs (${DEFAULT-VALUE}).")
  private int roundCount;

  @Option(
      names = "--allocators",
      paramLabel = "NAME",
      split = ",",
      description =
          "Only these: arenal, arenal-zeroed, netty-adaptive, netty-pooled, malloc, jemalloc,"
              + " mimalloc, jdk-shared, control.")
  private List<String> allocators = List.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description = "Numbers of threads, 1 to 64. With 2 or more, buffers are also handed over.")
  private List<Integer> threads = List.of();

  @Option(
      names = "--sizes",
      paramLabel = "BYTES",
      split = ",",
      converter = ByteSize.class,
      description = "Sizes of buffers, 8 to 4m.")
  private List<Long> sizesBytes = List.of();

  BuffersCommand() {
    super("the cost of one buffer, freed by the same thread or by another one");
  }

  @Override
  JmhPlan<BufferCell> plan() throws IOException {
    if (roundCount < 1) {
      throw new IllegalArgumentException(
          "nothing is measured: --rounds=%d (expected at least 1)".formatted(roundCount));
    }
    BuffersPlan.Part part = new BuffersPlan.Part(threads, sizesBytes);
    return isQuick
        ? BuffersPlan.quick(choice(), part)
        : BuffersPlan.usual(choice(), part, roundCount);
  }

  private Choice<BufferAllocator> choice() throws IOException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    return allocators.isEmpty()
        ? Choice.installed(libraries, ALL, List.of())
        : Choice.named(libraries, ALL, allocators);
  }

  @Override
  JmhPlan<BufferCell> lab(boolean isBrief) throws IOException {
    return BuffersPlan.lab(isBrief, choice());
  }

  @Override
  ProcessBuilder program() throws IOException {
    return JmhRun.program(HeapLibraries.ofThisMachine().variables(ALL));
  }

  @Override
  Section section(JmhMeasurement<BufferCell> measurement, List<String> notes) {
    return BuffersSection.of(measurement, notes);
  }

  @Override
  Section without(String reason) {
    return BuffersSection.without(reason);
  }
}
