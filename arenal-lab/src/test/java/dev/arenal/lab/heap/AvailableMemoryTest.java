package dev.arenal.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the machine and its control groups leave, read from files laid out as the kernel does. */
final class AvailableMemoryTest {
  @TempDir Path root;

  @BeforeEach
  void machineWithTwoMebibytes() throws IOException {
    write("proc/meminfo", "MemTotal:  4096 kB\nMemAvailable:  2048 kB\n");
  }

  @Test
  void withoutControlGroups_machineDecides() {
    assertThat(available()).isEqualTo(2 * 1024 * 1024);
  }

  @Test
  void nothingReadable_setsNoLimit() {
    assertThat(new AvailableMemory(root.resolve("nowhere")).find()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void version2_countsTheTightestGroupUpToTheRoot() throws IOException {
    write("proc/self/cgroup", "0::/outer/inner\n");
    write("sys/fs/cgroup/outer/memory.max", "1000000\n");
    write("sys/fs/cgroup/outer/memory.current", "400000\n");
    write("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 100000\n");
    write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
    write("sys/fs/cgroup/outer/inner/memory.current", "300000\n");

    assertThat(available()).isEqualTo(700_000);
  }

  @Test
  void version1_isReadToo() throws IOException {
    write("proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/job\n");
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "500000\n");
    write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "600000\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "700000\n");

    assertThat(available()).isZero();
  }

  private long available() {
    return new AvailableMemory(root).find();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
