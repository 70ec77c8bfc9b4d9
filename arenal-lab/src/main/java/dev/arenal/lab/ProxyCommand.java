package dev.arenal.lab;

import dev.arenal.lab.proxy.ProxyArm;
import dev.arenal.lab.proxy.ProxyMeasurement;
import dev.arenal.lab.proxy.ProxyPlan;
import dev.arenal.lab.proxy.ProxyRun;
import dev.arenal.lab.proxy.ProxyTransport;
import dev.arenal.lab.report.ProxySection;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.result.Labelled;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal proxy}: a Netty proxy with slow clients. */
@Command(
    name = "proxy",
    header = "Runs a Netty proxy with thousands of slow clients and shows its resident size.",
    description = {
      "",
      "Clients request half a megabyte each and read it slowly, so that most of it waits in the"
          + " proxy. Then all but one in fifty leave; half a minute of quiet follows, and then"
          + " a second wave. The proxy is the same ordinary Netty program in all arms, with a"
          + " different allocator:",
      "",
      "  netty-adaptive  Netty's default",
      "  netty-pooled    Netty's default before 4.2",
      "  arenal          ArenalByteBufAllocator by ChannelOption.ALLOCATOR",
      "  arenal-agent    netty-adaptive, with the agent's option netty",
      "  malloc-trim     Netty without a pool, -XX:TrimNativeHeapInterval",
      "",
      "Then fast clients measure throughput and latency. At the end the waves are repeated in a"
          + " control group with 60 %% of the memory of netty-adaptive plus one Java heap, to"
          + " see which arms survive. This needs root, or a writable control group.",
      "",
      "The proxy is a separate process, and all traffic is on the loopback of this machine. The"
          + " experiment takes some ten minutes, and two with --quick.",
      ""
    },
    footer = {
      "  arenal proxy",
      "  arenal proxy --quick --out report/",
      "  arenal proxy --arms netty-adaptive,arenal --clients 1000 --idle 10",
      "  arenal proxy --quick --piece 64k --transport nio",
      "  arenal proxy --runs 5 --rounds 5 --out report/",
      "  arenal proxy --json - | jq -c '.results[] | [.arm, .idleResidentBytes]'",
    })
final class ProxyCommand extends ExperimentCommand<ProxyPlan> {
  private static final double MOST_SECONDS = 3_600;

  @Option(names = "--quick", description = "Fewer clients, five seconds of quiet, one round.")
  private boolean isQuick;

  @Option(
      names = "--arms",
      paramLabel = "NAME",
      split = ",",
      description = "Only these arms, in this order.")
  private @Nullable List<String> arms;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "The slow clients of each wave (" + ProxyPlan.USUAL_CLIENTS + ").")
  private @Nullable Integer clientCount;

  @Option(
      names = "--piece",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "How much the origin sends at a time, 512 to 64k (16k).")
  private long pieceBytes = ProxyPlan.USUAL_PIECE_BYTES;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "The transport of the proxy: epoll, nio, or auto, which is epoll if available"
              + " (auto).")
  private String transport = ProxyTransport.AUTO.label();

  @Option(
      names = "--idle",
      paramLabel = "SECONDS",
      description = "The quiet time between the waves (30).")
  private @Nullable Double idleSeconds;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds of the load (3).")
  private @Nullable Integer roundCount;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of the waves, without a limit and in the control group (1).")
  private int runCount = 1;

  @Option(
      names = "--delay",
      paramLabel = "SECONDS",
      description = "How long arenal, arenal-agent and malloc-trim keep free memory (1).")
  private @Nullable Double delaySeconds;

  ProxyCommand() {
    super("resident size and throughput of a Netty proxy with slow clients");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    List<String> notes = new ArrayList<>();
    List<ProxyArm> usual = usualArms(notes);
    return measure(ProxyPlan.lab(isBrief, usual, notes), progress, text);
  }

  @Override
  Section measure(ProxyPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    ProxyMeasurement measurement = ProxyRun.run(plan, progress);
    progress.clear();
    measurement.notes().forEach(text::println);
    return shown(ProxySection.of(measurement), progress, text);
  }

  @Override
  ProxyPlan plan() throws IOException {
    List<String> notes = new ArrayList<>();
    List<ProxyArm> chosen = arms == null ? usualArms(notes) : named(arms);
    int usualClients = isQuick ? ProxyPlan.QUICK_CLIENTS : ProxyPlan.USUAL_CLIENTS;
    int usualRounds = isQuick ? 1 : ProxyPlan.USUAL_ROUNDS;
    return ProxyPlan.usual(
        isQuick,
        chosen,
        roundCount == null ? usualRounds : roundCount,
        runCount,
        ProxyPlan.fittingClients(
            clientCount == null ? usualClients : clientCount, ProxyRun.mostFiles(), notes),
        pieceBytes,
        Labelled.named("transport", List.of(ProxyTransport.values()), transport),
        duration(idleSeconds, isQuick ? ProxyPlan.QUICK_IDLE : ProxyPlan.USUAL_IDLE, MOST_SECONDS),
        duration(delaySeconds, ProxyPlan.USUAL_DELAY, MOST_SECONDS),
        notes);
  }

  /** All, but for one whose jar was not built. */
  private static List<ProxyArm> usualArms(List<String> notes) throws IOException {
    List<ProxyArm> usual = new ArrayList<>(List.of(ProxyArm.values()));
    if (ProxyRun.agent().isEmpty()) {
      usual.remove(ProxyArm.ARENAL_AGENT);
      notes.add("left out: arenal-agent, whose jar is missing (expected after mvn -B package)");
    }
    return usual;
  }

  private static List<ProxyArm> named(List<String> names) throws IOException {
    Set<ProxyArm> chosen = new LinkedHashSet<>();
    for (String name : names) {
      chosen.add(Labelled.named("arm", List.of(ProxyArm.values()), name.strip()));
    }
    if (chosen.contains(ProxyArm.ARENAL_AGENT) && ProxyRun.agent().isEmpty()) {
      throw new IOException("the agent's jar is missing (expected after mvn -B package)");
    }
    return List.copyOf(chosen);
  }
}
