package dev.arenal.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The two lines, and nothing else. */
final class HeapAtStartTest {
  @Test
  void program_printsTwoLinesAndReadsToTheEnd() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ByteArrayInputStream in = new ByteArrayInputStream("ignored".getBytes(StandardCharsets.UTF_8));
    HeapAtStart.run(new PrintStream(printed, true, StandardCharsets.UTF_8), in);

    List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).matches("Free physical memory: [1-9]\\d+");
    assertThat(lines.get(1)).matches("Heap size: [1-9]\\d+");
    assertThat(in.available()).isZero();
  }
}
