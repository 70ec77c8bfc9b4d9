package dev.arenal.os;

import static dev.arenal.os.MemoryFigures.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertThat(figures()).isEqualTo(SimulatedOperatingSystem.NO_LIMITS);
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
    assertThat(figures.groups()).containsExactly(new MemoryFigures.Group("/a", 5000, 1200, 250));
    assertThat(figures.availableBytes()).isEqualTo(4050);
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
    write(
        "sys/fs/cgroup/memory/job/memory.stat",
        "inactive_file 7\nactive_file 3\ntotal_inactive_file 400\ntotal_active_file 100\n");
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

  /** The kernel writes the backslash of a unit of systemd in octal digits, in one of two files. */
  @Test
  void nameWithABackslash_isTheSameInBothFiles() throws IOException {
    write("proc/self/cgroup", "4:memory:/machine.slice/nspawn@a\\x2db.service/child\n");
    write(
        "proc/self/mountinfo",
        "35 31 0:32 /machine.slice/nspawn@a\\134x2db.service /sys/fs/my\\040group ro - cgroup"
            + " cgroup rw,memory\n");
    write("sys/fs/my group/child/memory.limit_in_bytes", "8000\n");
    write("sys/fs/my group/child/memory.usage_in_bytes", "3000\n");
    assertThat(figures().groups())
        .containsExactly(new MemoryFigures.Group("/child", 8000, 3000, 0));
  }

  @Test
  void nameThatNoPathCanHave_leavesTheLimitOfTheOtherVersion() throws IOException {
    write("proc/self/cgroup", "4:memory:/job\n0::/no\0path\n");
    write(
        "proc/self/mountinfo",
        "35 31 0:32 / /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n" + CGROUP2_MOUNT);
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "8000\n");
    write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "3000\n");
    assertThat(figures().groups()).containsExactly(new MemoryFigures.Group("/job", 8000, 3000, 0));
  }

  /** As in the container of an agent that has the files of its machine in a folder. */
  @ParameterizedTest
  @ValueSource(strings = {"/..", "/../.."})
  void mountAboveTheNamespaceOfTheProcess_isPassedOver(String top) throws IOException {
    write("proc/self/cgroup", "0::/\n");
    write(
        "proc/self/mountinfo",
        "29 24 0:26 " + top + " /host/sys/fs/cgroup ro - cgroup2 cgroup2 rw\n" + CGROUP2_MOUNT);
    group("sys/fs/cgroup", "5000", 1000);
    group("host/sys/fs/cgroup", "9000", 1000);
    assertThat(figures().availableBytes()).isEqualTo(4000);
    write("proc/self/mountinfo", "29 24 0:26 " + top + " /host/sys/fs/cgroup ro - cgroup2 x rw\n");
    assertThat(figures().availableBytes()).as("no other").isEqualTo(8000);
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
    write("sys/devices/system/node/node0/cpulist", "0-3,8\n");
    write("sys/devices/system/node/node1/cpulist", "4-7\n");
    write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t2-5,8\n");
    KernelFiles files = new KernelFiles(root);
    assertThat(files.nodeCount()).isEqualTo(2);
    assertThat(files.processorsOfNode(0)).isEqualTo(bits(2, 3, 8));
    assertThat(files.processorsOfNode(1)).isEqualTo(bits(4, 5));
    assertThat(files.processorsOfNode(2)).isEqualTo(bits());
  }

  // ---- the reader ----

  /** As {@code cat} reads them, at once. */
  @ParameterizedTest
  @ValueSource(strings = {"vm/max_map_count", "vm/overcommit_memory", "kernel/pid_max"})
  void numbersOfTheRunningKernel_areReadAsAWhole(String name) throws Exception {
    Path file = Path.of("/proc/sys", name);
    assumeTrue(Files.isReadable(file), "the kernel tells it");
    String expected;
    Process cat = new ProcessBuilder("cat", file.toString()).start();
    try (InputStream said = cat.getInputStream()) {
      expected = new String(said.readAllBytes(), StandardCharsets.US_ASCII).strip();
    }
    assertThat(KernelFiles.lines(file).getFirst()).isEqualTo(expected);
    assertThat(KernelFiles.firstNumber(KernelFiles.lines(file)))
        .isEqualTo(Long.parseLong(expected));
  }

  @Test
  void figuresOfTheRunningKernel_areThere() {
    KernelFiles files = new KernelFiles(Path.of("/"));
    assumeTrue(Files.isReadable(Path.of("/proc/sys/vm/max_map_count")), "the kernel tells it");
    assertThat(files.mostMappings()).isGreaterThan(1000);
    assertThat(files.memoryFigures(PAGE).memTotalBytes()).isLessThan(1L << 50);
    assertThat(files.threadFaults()).isPositive();
  }

  @Test
  void interruptedThread_readsAsWell_andStaysInterrupted() throws IOException {
    write("proc/sys/vm/max_map_count", "262144\n");
    write("proc/self/smaps", "200000-400000 rw-p 0 00:00 0\nAnonHugePages: 2048 kB\n");
    KernelFiles files = new KernelFiles(root);
    Thread.currentThread().interrupt();
    try {
      assertThat(files.mostMappings()).isEqualTo(262_144);
      assertThat(files.hugeBytes(new long[] {0x200000}, new long[] {1}, 1)).isEqualTo(2 << 20);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'262144\n', 262144",
    "'262144', 262144",
    "'  262144 \t \n\n', 262144",
    "'\\n262144', 65530",
    "'0\n', 0",
    "'max\n', 65530",
    "'', 65530",
    "'-1\n', 65530",
    "'1e6\n', 65530",
    "'99999999999999999999\n', 65530"
  })
  void mostMappings_areTheDefaultWhereTheyMakeNoSense(String text, long expected)
      throws IOException {
    write("proc/sys/vm/max_map_count", text.replace("\\n", "\n").replace("\\t", "\t"));
    assertThat(new KernelFiles(root).mostMappings()).isEqualTo(expected);
  }

  @Test
  void filesThatAreMissing_tellDefaults() {
    KernelFiles files = new KernelFiles(root);
    assertThat(files.mostMappings()).isEqualTo(65_530);
    assertThat(files.overcommitMode()).isZero();
    assertThat(files.hasUnlimitedAddresses()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"unlimited, unlimited, true", "unlimited, 8192, false", "8192, unlimited, false"})
  void addresses_areUnlimitedIfTheirNumberAndThatOfDataAre(
      String addresses, String data, boolean expected) throws IOException {
    write(
        "proc/self/limits",
        "Limit  Soft Limit  Hard Limit  Units\nMax data size    "
            + data
            + "   unlimited  bytes\nMax address space   "
            + addresses
            + "  unlimited  bytes\n");
    assertThat(new KernelFiles(root).hasUnlimitedAddresses()).isEqualTo(expected);
  }

  /** A kernel gives as much at a time as it likes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 4096, 1 << 20})
  void shortReads_areContinued(int mostAtATime) throws IOException {
    byte[] text = "0123456789".repeat(5000).getBytes(StandardCharsets.US_ASCII);
    InputStream slow =
        new ByteArrayInputStream(text) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            return super.read(into, from, Math.min(mostAtATime, length));
          }
        };
    assertThat(KernelFiles.readAll(slow)).isEqualTo(text);
  }

  /** As {@code /proc/sys}: what the first read does not take is never seen. */
  @Test
  void firstRead_asksForAllThatThereCanBe() throws IOException {
    byte[] page = "x".repeat(4096).getBytes(StandardCharsets.US_ASCII);
    InputStream once =
        new ByteArrayInputStream(page) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            int got = super.read(into, from, length);
            var _ = super.skip(Long.MAX_VALUE);
            return got;
          }
        };
    assertThat(KernelFiles.readAll(once)).isEqualTo(page);
  }

  @Test
  void fileWithoutEnd_isNoFileOfTheKernel() {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }

          @Override
          public int read(byte[] into, int from, int length) {
            return length;
          }
        };
    assertThatThrownBy(() -> KernelFiles.readAll(endless))
        .isInstanceOf(IOException.class)
        .hasMessage("file of the kernel does not end: bytes=16777216");
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
