package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.process.Interrupts;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a person types it, and as a person stops it. */
final class ProxyCommandTest {
  private static final String HELP =
      """
      Runs a Netty proxy with thousands of slow clients and shows its resident size.
      Usage: arenal proxy [-hV] [--quick] [--clients=N] [--delay=SECONDS]
                          [--idle=SECONDS] [--json=FILE] [--out=DIR] [--piece=SIZE]
                          [--rounds=N] [--runs=N] [--transport=NAME] [--arms=NAME[,
                          NAME...]]...

      Clients request half a megabyte each and read it slowly, so that most of it
      waits in the proxy. Then all but one in fifty leave; half a minute of quiet
      follows, and then a second wave. The proxy is the same ordinary Netty program
      in all arms, with a different allocator:

        netty-adaptive  Netty's default
        netty-pooled    Netty's default before 4.2
        arenal          ArenalByteBufAllocator by ChannelOption.ALLOCATOR
        arenal-agent    netty-adaptive, with the agent's option netty
        malloc-trim     Netty without a pool, -XX:TrimNativeHeapInterval

      Then fast clients measure throughput and latency. At the end the waves are
      repeated in a control group with 60 % of the memory of netty-adaptive plus one
      Java heap, to see which arms survive. This needs root, or a writable control
      group.

      The proxy is a separate process, and all traffic is on the loopback of this
      machine. The experiment takes some ten minutes, and two with --quick.

            --quick            Fewer clients, five seconds of quiet, one round.
            --arms=NAME[,NAME...]
                               Only these arms, in this order.
            --clients=N        The slow clients of each wave (3000).
            --piece=SIZE       How much the origin sends at a time, 512 to 64k (16k).
            --transport=NAME   The transport of the proxy: epoll, nio, or auto, which
                                 is epoll if available (auto).
            --idle=SECONDS     The quiet time between the waves (30).
            --rounds=N         Rounds of the load (3).
            --runs=N           Runs of the waves, without a limit and in the control
                                 group (1).
            --delay=SECONDS    How long arenal, arenal-agent and malloc-trim keep
                                 free memory (1).
        -h, --help             Show this help message and exit.
        -V, --version          Print version information and exit.
            --json=FILE        Writes the results as JSON; - is standard output.
            --out=DIR          Writes the results, env.json and report.html with the
                                 charts there.

      Exit codes:
          0   everything was measured, whether the claims hold or not
          1   something failed: see the message
          2   the command line is wrong

      Examples:
        arenal proxy
        arenal proxy --quick --out report/
        arenal proxy --arms netty-adaptive,arenal --clients 1000 --idle 10
        arenal proxy --quick --piece 64k --transport nio
        arenal proxy --runs 5 --rounds 5 --out report/
        arenal proxy --json - | jq -c '.results[] | [.arm, .idleResidentBytes]'
      """;

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void help_isThis() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).isEqualTo(HELP);
  }

  @Test
  void badInput_isRefusedBeforeAnythingIsMeasured() {
    assertThat(run("--json", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("arenal proxy: cannot write: file=" + folder + ", reason=");
    assertRefused("unknown arm: name=malloc (expected one of netty-adaptive, ", "--arms", "malloc");
    assertRefused("too few clients: clients=10 (expected 50 or more: ", "--clients", "10");
    assertRefused("cannot run that often: runs=0 (expected 1 to 100)", "--runs", "0");
    assertRefused("cannot run that often: runs=101 (expected 1 to 100)", "--runs", "101");
    assertRefused(
        "unknown transport: name=kqueue (expected one of auto, epoll, nio)",
        "--transport",
        "kqueue");
    assertRefused(
        "pieces are too small or too large: pieceBytes=65537 (expected 512 to 65536)",
        "--piece",
        "65537");
    assertRefused(
        "pieces are too small or too large: pieceBytes=107374182400 (expected 512 to 65536)",
        "--piece",
        "100g");
    assertRefused("pieces are too small or too large: pieceBytes=511 (", "--piece", "511");
    assertRefused("pieces are too small or too large: pieceBytes=0 (", "--piece", "0");
    assertRefused(
        "not a size: much (expected bytes, or a number with k, m or g ", "--piece", "much");
    assertThat(out.toString()).isEmpty();
  }

  private void assertRefused(String message, String... words) {
    err.getBuffer().setLength(0);
    assertThat(run(words)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  /** While two proxies serve: nothing stays, and nothing is said that looks like a fault. */
  @Test
  @Timeout(300)
  void interruptedCommand_leavesNothingBehind() throws Exception {
    Interrupts.assumeHeard();
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Path output = folder.resolve("output");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "proxy",
            "--quick",
            "--arms",
            "netty-adaptive,arenal",
            "--clients",
            "50");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      List<ProcessHandle> ours = List.of();
      for (int i = 0; i < 600 && process.isAlive() && proxyCount(ours) == 0; i++) {
        Thread.sleep(100);
        ours = process.descendants().toList();
      }
      assertThat(proxyCount(ours)).as("%s", Files.readString(output)).isPositive();
      assertThat(temporary).isNotEmptyDirectory();
      Interrupts.interrupt(process);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(Interrupts.EXIT_CODE);
      for (ProcessHandle child : ours) {
        child.onExit().get(60, TimeUnit.SECONDS);
      }
      assertThat(temporary).isEmptyDirectory();
      assertThat(output).content().doesNotContain("Exception").doesNotContain("\tat ");
    } finally {
      process.destroyForcibly();
    }
  }

  private static long proxyCount(List<ProcessHandle> processes) {
    return processes.stream()
        .filter(each -> each.info().commandLine().orElse("").contains("ProxyMain"))
        .count();
  }

  private int run(String... words) {
    return Commands.run(out, err, List.of("proxy"), words);
  }
}
