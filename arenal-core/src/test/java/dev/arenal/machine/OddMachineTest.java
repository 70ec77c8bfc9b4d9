package dev.arenal.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.memory.Budget;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URISyntaxException;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A small program over all allocators ({@link MachineProgram}), in a fresh JVM on a machine that is
 * not like this one: the first use of the library, and what a kernel set up differently makes of
 * it. A test that needs root is skipped, with a reason, where there is none.
 */
final class OddMachineTest {
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
  private static final Path MAX_MAP_COUNT = Path.of("/proc/sys/vm/max_map_count");

  @ParameterizedTest
  @ValueSource(strings = {"all", "strict"})
  void ordinaryMachine(String word) throws Exception {
    assertThat(run(List.of(), List.of(), word))
        .containsExactly("touched=true", "committed=0", "done");
  }

  @Test
  void firstUseOfAnInterruptedThread_isAsAnyOther() throws Exception {
    assertThat(run(List.of(), List.of(), "interrupted"))
        .containsExactly("touched=true", "committed=0", "interrupted=true", "done");
    assertThat(run(List.of(), List.of(), "interruptedMoves")).containsExactly("moves=true", "done");
  }

  /** An interrupt cancels a pretouch; the next one must find all it needs. */
  @Test
  void firstPretouchOfAnInterruptedThread_isCancelled_andTheNextOneIsNot() throws Exception {
    assertThat(run(List.of(), List.of(), "interruptedPretouch"))
        .containsExactly("cancelled, interrupted=true", "touched=64 MiB", "done");
  }

  /** The caller touches alone then. */
  @Test
  void threadsThatCannotBeStarted_areNotInTheReportOfAPretouch() throws Exception {
    assertThat(run(List.of(), List.of("-Xss256m", "-Xlog:disable"), "noThreads"))
        .containsExactly("threads=1", "done");
  }

  @Test
  void threadOfStatisticsThatCannotBeStarted_isStartedByALaterReader() throws Exception {
    assertThat(run(List.of(), List.of("-Xss256m", "-Xlog:disable"), "noSampling"))
        .containsExactly("sampled=false", "sampled=true", "done");
  }

  /** vm.max_map_count read wrong: a large buffer had 0 to 3 of 18 granules from the cache. */
  @Test
  void largeBuffer_getsAllItsGranulesFromTheCache() throws Exception {
    assertThat(run(List.of(), List.of(), "moves")).containsExactly("moves=true", "done");
  }

  /** A class whose initialization ends by a stack overflow would be unusable for ever. */
  @Test
  void firstUseAtTheEndOfTheStack_doesNotSpoilTheNext() throws Exception {
    assertThat(run(List.of(), List.of(), "deep"))
        .containsExactly("tried=true", "touched=true", "committed=0", "moves=true", "done");
  }

  @Test
  void smallStacks_doForAllAllocators() throws Exception {
    assertThat(run(List.of(), List.of("-Xss200k"), "all"))
        .containsExactly("touched=true", "committed=0", "done");
  }

  /** In the worst pattern the JVM has what it needs, and the program the figures. */
  @Test
  void strictSpace_leavesMappingsToTheProgram() throws Exception {
    long most = Files.isReadable(MAX_MAP_COUNT) ? numberIn(MAX_MAP_COUNT) : 0;
    assumeTrue(most >= 10_000 && most <= 200_000, "as many mappings as kernels usually allow");
    List<String> lines = run(List.of(), List.of("-Xmx512m"), "mappings");
    assertThat(lines.getFirst())
        .matches(
            "native memory refused: space=strict, requestedBytes=4096, committedBytes=\\d+,"
                + " reservedBytes=\\d+, limitBytes=none, errno=TOO_MANY_MAPPINGS \\(4000\\),"
                + " mappings=\\d+, mappingLimit="
                + most / 2
                + ", maxMapCount="
                + most
                + ", granuleBytes=4096 \\(the rest of the kernel's mappings is left to the"
                + " program: close arenas, take larger granules, or raise vm.max_map_count\\)");
    assertThat(lines.get(1)).isEqualTo("threads=200");
    long used = Long.parseLong(lines.get(2).substring("mappings=".length()));
    assertThat(used).isBetween(most / 4, most / 2 + 3000);
    assertThat(lines.subList(3, lines.size())).containsExactly("committed=0", "done");
  }

  @Test
  void hugePagesForEverybody_makeNothingElseResident() throws Exception {
    withHugePages(
        "always",
        () -> {
          List<String> lines = run(List.of(), List.of(), "resident");
          assertThat(lines).as("%s", lines).contains("within=true");
        });
  }

  /** A pretouch that asks for them gets them, whatever the machine's setting is. */
  @ParameterizedTest
  @ValueSource(strings = {"always", "madvise"})
  void hugePagesThatAreAskedFor_areGiven(String setting) throws Exception {
    withHugePages(
        setting,
        () -> {
          // The first granule had a small page before. The kernel's own thread, khugepaged, wakes
          // up for a process that asks for huge pages, and may have made it a huge one by then:
          // one run of 80 met that.
          List<String> lines = run(List.of(), List.of(), "residentAfterPretouch");
          assertThat(lines).as("%s", lines).contains("within=true");
          assertThat(lines).as("%s", lines).containsAnyOf("huge=30", "huge=32");
        });
  }

  @Test
  void limitOnAddresses_isToldAndKept() throws Exception {
    List<String> shell = List.of("sh", "-c", "ulimit -v 8000000 && exec \"$@\"", "sh");
    List<String> lines =
        run(
            shell,
            List.of("-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=32m"),
            "refused",
            "16000000000");
    assertThat(lines)
        .containsExactly(
            "address space refused: memory=large, sizeBytes=16000000000, errno=ENOMEM (12) (see"
                + " ulimit -v and vm.overcommit_memory, or ask for less)",
            "touched=true",
            "committed=0",
            // A move may need addresses that are not left, after the target is unmapped.
            "moves=false",
            "done");
  }

  /** As in a container that hides it: the kernel's defaults are assumed. */
  @Test
  void withoutProcSys_defaultsAreAssumed() throws Exception {
    List<String> hidden =
        List.of("unshare", "-m", "sh", "-c", "mount -t tmpfs none /proc/sys && exec \"$@\"", "sh");
    assumeTrue(succeeds(hidden, "true"), "a mount namespace can be made (needs root)");
    assertThat(run(hidden, List.of(), "all"))
        .containsExactly("touched=true", "committed=0", "done");
    assertThat(run(hidden, List.of(), "moves")).containsExactly("moves=true", "done");
  }

  // ---- machines ----

  private interface Check {
    void run() throws Exception;
  }

  /**
   * Sets it for the whole machine, and back whatever happens. Others that do so wait at the same
   * lock.
   */
  private static void withHugePages(String setting, Check check) throws Exception {
    assumeTrue(Files.isWritable(HUGE_PAGES), "huge pages can be set (needs root)");
    Path lockFile = Path.of(System.getProperty("java.io.tmpdir"), "arenal-huge-pages.lock");
    try (RandomAccessFile file = new RandomAccessFile(lockFile.toFile(), "rw");
        FileLock lock = file.getChannel().lock()) {
      assertThat(lock.isValid()).isTrue();
      String all = Files.readAllLines(HUGE_PAGES).getFirst();
      String before = all.substring(all.indexOf('[') + 1, all.indexOf(']'));
      // Also where the JVM is ended meanwhile.
      Thread restore = new Thread(() -> setHugePages(before));
      Runtime.getRuntime().addShutdownHook(restore);
      try {
        setHugePages(setting);
        check.run();
      } finally {
        setHugePages(before);
        var _ = Runtime.getRuntime().removeShutdownHook(restore);
      }
    }
  }

  private static void setHugePages(String setting) {
    try {
      Files.writeString(HUGE_PAGES, setting);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long numberIn(Path file) throws IOException {
    return Long.parseLong(Files.readAllLines(file).getFirst().strip());
  }

  private static boolean succeeds(List<String> prefix, String command) throws InterruptedException {
    List<String> all = new ArrayList<>(prefix);
    all.add(command);
    try {
      Process process =
          new ProcessBuilder(all)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  // ---- JVMs ----

  private static List<String> run(List<String> prefix, List<String> flags, String... args)
      throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:-CreateCoredumpOnCrash"));
    command.add("-XX:ErrorFile=/dev/null");
    command.addAll(flags);
    command.addAll(List.of("-cp", codeOf(Budget.class) + ":" + codeOf(MachineProgram.class)));
    command.add(MachineProgram.class.getName());
    Collections.addAll(command, args);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    Process process = builder.start();
    try (var output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("%s", text).isZero();
      return text.lines().toList();
    }
  }

  private static Path codeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
