package dev.arenal.os;

import static dev.arenal.os.MemoryFigures.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines and containers of all kinds, made of files. */
final class KernelFilesTest {
  private static final long PAGE = 4096;
  private static final String CGROUP2_MOUNT =
      "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

  @TempDir private Path root;

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private MemoryFigures figures() {
    return new KernelFiles(root).memoryFigures(PAGE);
  }

  private void group(String folder, String maxBytes, long currentBytes) throws IOException {
    write(folder + "/memory.max", maxBytes + "\n");
    write(folder + "/memory.current", currentBytes + "\n");
  }

  @Test
  void nothingToRead_limitsNothing() {
    assertThat(figures()).isEqualTo(MemoryFigures.NONE);
    assertThat(figures().availableBytes()).isEqualTo(UNKNOWN);
    assertThat(figures().availableAddressBytes()).isEqualTo(UNKNOWN);
    assertThat(figures().availablePromiseBytes()).isEqualTo(UNKNOWN);
  }

  @Test
  void machine_isReadWithAllItsFigures() throws IOException {
    write(
        "proc/meminfo",
        """
        MemTotal:       24684084 kB
        MemFree:            4124 kB
        MemAvailable:      10000 kB
        CommitLimit:       12342 kB
        Committed_AS:        342 kB
        """);
    write("proc/self/statm", "1000 20 3 0 0 0 0\n");
    write(
        "proc/self/limits", "Max address space         8192000              unlimited     bytes\n");
    write("proc/sys/vm/overcommit_memory", "2\n");
    MemoryFigures figures = figures();
    assertThat(figures.availableBytes()).isEqualTo(10_000 << 10);
    assertThat(figures.memTotalBytes()).isEqualTo(24_684_084L << 10);
    assertThat(figures.availableAddressBytes()).isEqualTo(8_192_000 - 1000 * PAGE);
    assertThat(figures.availablePromiseBytes()).isEqualTo(12_000 << 10);
  }

  @Test
  void promisesOfAKernelThatOvercommits_areNoLimit() throws IOException {
    write("proc/meminfo", "CommitLimit: 1 kB\nCommitted_AS: 5 kB\n");
    write("proc/sys/vm/overcommit_memory", "0\n");
    assertThat(figures().availablePromiseBytes()).isEqualTo(UNKNOWN);
  }

  @Test
  void groupsOfVersion2_areReadUpTheTree() throws IOException {
    write("proc/self/cgroup", "0::/a/b\n");
    write("proc/self/mountinfo", CGROUP2_MOUNT);
    group("sys/fs/cgroup/a/b", "max", 100);
    group("sys/fs/cgroup/a", "5000", 1200);
    write("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 200\nactive_file 50\n");
    MemoryFigures figures = figures();
    assertThat(figures.groups()).containsExactly(new MemoryFigures.Group("/a", 5000, 1200, 200));
    assertThat(figures.availableBytes()).isEqualTo(4000);
  }

  @Test
  void theTightestGroup_counts() throws IOException {
    write("proc/self/cgroup", "0::/a/b\n");
    write("proc/self/mountinfo", CGROUP2_MOUNT);
    group("sys/fs/cgroup/a/b", "9000", 100);
    group("sys/fs/cgroup/a", "5000", 4900);
    assertThat(figures().groups()).hasSize(2);
    assertThat(figures().availableBytes()).isEqualTo(100);
  }

  @Test
  void highOfVersion2_isALimit() throws IOException {
    write("proc/self/cgroup", "0::/a\n");
    write("proc/self/mountinfo", CGROUP2_MOUNT);
    group("sys/fs/cgroup/a", "max", 1000);
    write("sys/fs/cgroup/a/memory.high", "3000\n");
    assertThat(figures().availableBytes()).isEqualTo(2000);
  }

  @Test
  void groupThatUsesMoreThanItMay_hasNothing() throws IOException {
    write("proc/self/cgroup", "0::/a\n");
    write("proc/self/mountinfo", CGROUP2_MOUNT);
    group("sys/fs/cgroup/a", "1000", 1500);
    assertThat(figures().availableBytes()).isZero();
  }

  @Test
  void groupsOfVersion1_areReadWithTheirOwnNames() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/job\n0::/\n");
    write(
        "proc/self/mountinfo",
        """
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
        """);
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "8000\n");
    write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "3000\n");
    write("sys/fs/cgroup/memory/job/memory.stat", "inactive_file 7\ntotal_inactive_file 500\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "3000\n");
    assertThat(figures().groups())
        .containsExactly(new MemoryFigures.Group("/job", 8000, 3000, 500));
  }

  /** As in a container of Docker without a namespace for control groups. */
  @Test
  void mountedGroupThatIsThatOfTheProcess_isRead() throws IOException {
    write("proc/self/cgroup", "4:memory:/docker/abc/child\n");
    write(
        "proc/self/mountinfo",
        "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "3000\n");
    assertThat(figures().groups()).containsExactly(new MemoryFigures.Group("/", 8000, 3000, 0));
  }

  @Test
  void processAboveWhatIsMounted_seesTheMountedGroup() throws IOException {
    write("proc/self/cgroup", "0::/../..\n");
    write("proc/self/mountinfo", CGROUP2_MOUNT);
    group("sys/fs/cgroup", "5000", 1000);
    assertThat(figures().availableBytes()).isEqualTo(4000);
  }

  @Test
  void filesThatMakeNoSense_limitNothing() throws IOException {
    write("proc/meminfo", "MemAvailable: lots\nMemTotal\n");
    write("proc/self/cgroup", "0:\n::\n0::/a\nx:memory:/a\n");
    write("proc/self/mountinfo", "1 2 3\n" + CGROUP2_MOUNT + " - \n");
    write("proc/self/limits", "Max address space\n");
    write("proc/self/statm", "\n");
    write("sys/fs/cgroup/a/memory.max", "\n");
    write("sys/fs/cgroup/a/memory.current", "many\n");
    assertThat(figures().availableBytes()).isEqualTo(UNKNOWN);
    assertThat(figures().availableAddressBytes()).isEqualTo(UNKNOWN);
  }

  @Test
  void hugePages_areSummedOverTheMappingsThatAreTouched() throws IOException {
    write(
        "proc/self/smaps",
        """
        200000-400000 rw-p 00000000 00:00 0
        Size:               2048 kB
        AnonHugePages:      2048 kB
        600000-a00000 rw-p 00000000 00:00 0                        [anon: x]
        AnonHugePages:      4096 kB
        VmFlags: rd wr
        c00000-e00000 rw-p 00000000 00:00 0
        AnonHugePages:      2048 kB
        ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0    [vsyscall]
        AnonHugePages:         0 kB
        """);
    KernelFiles files = new KernelFiles(root);
    long[] from = {0x300000, 0x9ff000};
    long[] sizes = {0x1000, 0x2000};
    assertThat(files.hugeBytes(from, sizes, 2)).isEqualTo(6 << 20);
    assertThat(files.hugeBytes(from, sizes, 1)).isEqualTo(2 << 20);
    assertThat(files.hugeBytes(new long[] {0x400000}, sizes, 1)).isZero();
  }

  @Test
  void hugePagesThatAreNotTold_areUnknown() throws IOException {
    KernelFiles files = new KernelFiles(root);
    assertThat(files.hugeBytes(new long[] {0}, new long[] {1}, 1)).isEqualTo(-1);
    write("proc/self/smaps", "200000-400000 rw-p 00000000 00:00 0\nSize: 2048 kB\n");
    assertThat(files.hugeBytes(new long[] {0x200000}, new long[] {1}, 1)).isEqualTo(-1);
  }

  @Test
  void faults_areFoundBehindAnyName() throws IOException {
    KernelFiles files = new KernelFiles(root);
    assertThat(files.threadFaults()).isEqualTo(-1);
    write("proc/thread-self/stat", "12 (a ) b) S 1 2 3 4 5 6 700 8 9 10 11\n");
    assertThat(files.threadFaults()).isEqualTo(709);
  }

  @Test
  void nodes_haveTheProcessorsThatAreAllowed() throws IOException {
    write("sys/devices/system/node/has_memory", "0-1\n");
    write("sys/devices/system/node/online", "0-1\n");
    write("sys/devices/system/node/node0/cpulist", "0-3,8\n");
    write("sys/devices/system/node/node1/cpulist", "4-7\n");
    write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t2-5,8\n");
    KernelFiles files = new KernelFiles(root);
    assertThat(files.countNodes()).isEqualTo(2);
    assertThat(files.processorsOfNode(0)).isEqualTo(bits(2, 3, 8));
    assertThat(files.processorsOfNode(1)).isEqualTo(bits(4, 5));
    assertThat(files.processorsOfNode(2)).isEqualTo(bits());
    assertThat(files.nodeOfProcessor(6)).isEqualTo(1);
    assertThat(files.nodeOfProcessor(99)).isZero();
  }

  @Test
  void lists_mayHoldAnything() {
    assertThat(KernelFiles.numbers("")).isEqualTo(bits());
    assertThat(KernelFiles.numbers("3-1,x,5-,7")).isEqualTo(bits(7));
  }

  private static BitSet bits(int... numbers) {
    BitSet bits = new BitSet();
    for (int number : numbers) {
      bits.set(number);
    }
    return bits;
  }
}
