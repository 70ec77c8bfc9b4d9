package dev.arenal.lab;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.jmh.JmhProgram;
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
    header = "Measures the cost of a buffer: allocated, touched in each OS page, and freed.",
    description = {
      "",
      "By size from 64 B to 1 MiB, on 1, 2 and 16 threads that share the allocator; freed by"
          + " the same thread, and handed over to another one. Compared with Arenal's"
          + " PageAllocator, zeroed and not, are Netty's adaptive and pooled allocators,"
          + " malloc, jemalloc and mimalloc where installed, Arena.ofShared(), and a control"
          + " that only touches memory. Of these only arenal-zeroed and jdk-shared zero memory.",
      "",
      "JMH measures in many short forks, in which the allocators take turns. A time is the"
          + " number of threads over the buffers per second of all of them, and the median of"
          + " its iterations; ± is half of its 99.9 %% confidence interval. Nothing else should"
          + " run on the machine meanwhile. One buffer at a time is the best case for caches:"
          + " arenal churn has random lifetimes and sizes.",
      ""
    },
    footer = {
      "  arenal buffers --quick         two sizes, one and two threads, 3 minutes",
      "  arenal buffers --out report/   all sizes and threads, more than an hour",
      "  arenal buffers --quick --json -",
    })
final class BuffersCommand extends JmhCommand<BufferCell> {
  @Option(
      names = "--quick",
      description = "Two sizes on one and two threads, one fork each: some 3 minutes.")
  private boolean isQuick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of measurements, each in new JVMs (${DEFAULT-VALUE}).")
  private int countRounds;

  BuffersCommand() {
    super("the cost of one buffer, freed by the same thread or by another one");
  }

  @Override
  JmhPlan<BufferCell> plan() throws IOException {
    if (countRounds < 1) {
      throw new IllegalArgumentException(
          "nothing is measured: --rounds=%d (expected at least 1)".formatted(countRounds));
    }
    Choice<BufferAllocator> choice = BuffersPlan.choice(HeapLibraries.ofThisMachine());
    return isQuick ? BuffersPlan.quick(choice) : BuffersPlan.usual(choice, countRounds);
  }

  @Override
  JmhPlan<BufferCell> lab(boolean isBrief) throws IOException {
    return BuffersPlan.lab(isBrief, BuffersPlan.choice(HeapLibraries.ofThisMachine()));
  }

  @Override
  JmhProgram program() throws IOException {
    return JmhProgram.find(
        HeapLibraries.ofThisMachine().variables(List.of(BufferAllocator.values())));
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
