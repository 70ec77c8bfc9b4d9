package dev.arenal.lab.proxy;

import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.Watcher;
import dev.arenal.lab.result.Median;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan: the waves of each arm, the load by turns, and the waves again in a control
 * group that is as small as the first figures say.
 */
public final class ProxyRun {
  private static final String NAME = "proxy";
  static final String AGENT = "arenal-agent.jar";

  /** Of what the process had resident with Netty's default: so much the control group has. */
  private static final double LIMITED_SHARE = 0.6;

  /** The fixed rate, of what the slowest arm can do: one that all arms reach. */
  private static final double RATE_SHARE = 0.5;

  /** The bytes that the kernel keeps beside the buffers of a wave; the rest waits in the proxy. */
  private static final int SEND_BUFFER_BYTES = 32 << 10;

  private static final long MIB = 1 << 20;
  private static final long PROCESSES_BYTES = 1_000 * MIB;
  private static final Duration WARM = Duration.ofSeconds(4);

  /** Waves measure memory, and most of the time it is quiet. */
  private static final int MOST_PARALLEL = 3;

  private final ProxyPlan plan;
  private final Watcher watcher;
  private final int parallelCount;
  private final List<String> notes;
  private final List<String> failures = new ArrayList<>();

  private ProxyRun(ProxyPlan plan, Watcher watcher, int parallelCount) {
    this.plan = plan;
    this.parallelCount = parallelCount;
    this.watcher = watcher;
    this.notes = new ArrayList<>(plan.notes());
  }

  /** The agent's jar, where it was built. */
  public static Optional<Path> agent() throws IOException {
    return Optional.of(OurProgram.file(AGENT)).filter(Files::exists);
  }

  /** Most files that one process may have open here, as the JVM makes use of it. */
  public static long mostFiles() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
      if (line.startsWith("Max open files")) {
        String[] fields = line.substring("Max open files".length()).strip().split(" +", -1);
        return fields[1].equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(fields[1]);
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * Carries it out.
   *
   * @throws IOException if there is not enough memory for a wave
   */
  public static ProxyMeasurement run(ProxyPlan plan, Watcher watcher)
      throws IOException, InterruptedException {
    int parallelCount = parallelCount(plan, AvailableMemory.now().bytes());
    return new ProxyRun(plan, watcher, parallelCount).run();
  }

  /**
   * How many proxies there is memory for; at least one, or an error. Pools need twice of what
   * waits, at most; and there are the kernel's buffers.
   */
  static int parallelCount(ProxyPlan plan, long availableBytes) throws IOException {
    long neededBytes = 3 * plan.waveBytes() + PROCESSES_BYTES;
    if (neededBytes > availableBytes) {
      throw new IOException(
          ("not enough memory for a wave: clients=%d, neededBytes=%d, availableBytes=%d (expected"
                  + " three times what waits for them, and two JVMs; stop other programs or ask for"
                  + " less with --clients)")
              .formatted(plan.clientCount(), neededBytes, availableBytes));
    }
    // Half of it: others live on this machine too.
    return Math.clamp(availableBytes / 2 / neededBytes, 1, MOST_PARALLEL);
  }

  private ProxyMeasurement run() throws IOException, InterruptedException {
    Map<ProxyArm, List<WavesResult>> waves = waves("waves", null);
    Map<ProxyArm, LoadResult> load = load();
    Map<ProxyArm, LimitedResult> limited = plan.isLimited() ? limited(waves) : Map.of();
    List<ProxyResult> results = new ArrayList<>();
    waves.forEach((arm, runs) ->
        results.add(
            ProxyResult.ofRuns(
                arm,
                arm.isTold() ? arm.delay(plan.delay()) : null,
                runs,
                load.get(arm),
                limited.get(arm))));
    return new ProxyMeasurement(plan, results, notes, failures);
  }

  private ProxySetup setup(ProxyArm arm, int sendBufferBytes) {
    return new ProxySetup(
        arm,
        arm.delay(plan.delay()),
        plan.waterMarkBytes(),
        sendBufferBytes,
        plan.pieceBytes(),
        plan.transport());
  }

  /**
   * The waves of all arms, as often as the plan says.
   *
   * @param limitBytes of a control group for each run; null for none
   */
  private Map<ProxyArm, List<WavesResult>> waves(String step, @Nullable Long limitBytes)
      throws IOException, InterruptedException {
    Rounds<ProxyArm, WavesResult> rounds =
        Rounds.sideBySide(
            parallelCount,
            plan.arms(),
            plan.runCount(),
            (arm, run) -> {
              String shown = plan.runCount() == 1 ? step : step + ", run " + run;
              if (limitBytes == null) {
                return waves(arm, shown, null);
              }
              try (ControlGroup group =
                  ControlGroup.create("arenal-proxy-%s-%d".formatted(arm.label(), run), limitBytes)
                      .orElseThrow(() -> noGroup(arm, run))) {
                return waves(arm, shown, group.folder().toString());
              }
            });
    failures.addAll(rounds.failures().values());
    Map<ProxyArm, List<WavesResult>> results = new LinkedHashMap<>();
    for (List<WavesResult> runs : rounds.trusted()) {
      results.put(runs.getFirst().arm(), runs);
    }
    return results;
  }

  /** The figures of others are still good. */
  private static ChildFailedException noGroup(ProxyArm arm, int run) {
    return new ChildFailedException(
        "no control group can be made any more: arm=%s, run=%d".formatted(arm.label(), run));
  }

  private WavesResult waves(ProxyArm arm, String step, @Nullable String group)
      throws IOException, InterruptedException, ChildFailedException {
    WavesWork work =
        new WavesWork(
            setup(arm, SEND_BUFFER_BYTES),
            plan.clientCount(),
            plan.responseBytes(),
            plan.hold(),
            plan.idle(),
            group);
    return child(arm, step).run(work, WavesResult.class, told(arm, step));
  }

  private static Child child(ProxyArm arm, String step) {
    return new Child(NAME, "arm=%s, step=%s".formatted(arm.label(), step));
  }

  private LongConsumer told(ProxyArm arm, String step) {
    return seconds -> watcher.at(NAME, step + ", " + arm.label(), seconds);
  }

  private Map<ProxyArm, LoadResult> load() throws IOException, InterruptedException {
    Duration warm = plan.load().compareTo(WARM) < 0 ? plan.load() : WARM;
    Map<ProxyArm, LoadResult> results = new LinkedHashMap<>();
    double slowest = Double.MAX_VALUE;
    try {
      for (ProxyArm arm : plan.arms()) {
        LoadWork work = new LoadWork(setup(arm, 0), warm, plan.load(), 0);
        LoadResult fast =
            child(arm, "load").run(work, LoadResult.class, told(arm, "finding the rate"));
        slowest = Math.min(slowest, fast.requestsPerSecond());
      }
    } catch (ChildFailedException e) {
      failures.add("" + e.getMessage());
      return results;
    }
    double ratePerSecond = Math.max(1, Math.rint(RATE_SHARE * slowest));
    Rounds<ProxyArm, LoadResult> rounds =
        Rounds.of(
            plan.arms(),
            plan.roundCount(),
            (arm, round) -> {
              String step = "load, round %d of %d".formatted(round, plan.roundCount());
              LoadWork work = new LoadWork(setup(arm, 0), warm, plan.load(), ratePerSecond);
              return child(arm, "load").run(work, LoadResult.class, told(arm, step));
            });
    failures.addAll(rounds.failures().values());
    for (ProxyArm arm : plan.arms()) {
      List<LoadResult> all = rounds.of(arm);
      if (!all.isEmpty()) {
        results.put(arm, median(arm, all));
      }
    }
    return results;
  }

  private static LoadResult median(ProxyArm arm, List<LoadResult> all) {
    return new LoadResult(
        arm,
        median(all, LoadResult::requestsPerSecond),
        median(all, LoadResult::ratePerSecond),
        median(all, LoadResult::medianMicros),
        median(all, LoadResult::p99Micros),
        median(all, LoadResult::p999Micros));
  }

  private static <T> double median(List<T> all, Function<T, @Nullable Double> figure) {
    return Objects.requireNonNull(Median.of(all, figure));
  }

  private Map<ProxyArm, LimitedResult> limited(Map<ProxyArm, List<WavesResult>> waves)
      throws IOException, InterruptedException {
    List<WavesResult> netty = waves.getOrDefault(ProxyArm.NETTY_ADAPTIVE, List.of());
    if (netty.isEmpty()) {
      notes.add(
          "no small control group: its size follows from the arm %s, which was not measured"
              .formatted(ProxyArm.NETTY_ADAPTIVE.label()));
      return Map.of();
    }
    double peakBytes = median(netty, run -> (double) run.peakProcessBytes());
    long limitBytes = (long) (LIMITED_SHARE * peakBytes) + ProxyProcess.JAVA_HEAP_BYTES;
    Optional<ControlGroup> trial = ControlGroup.create("arenal-proxy-trial", limitBytes);
    trial.ifPresent(ControlGroup::close);
    if (trial.isEmpty()) {
      notes.add(
          "no small control group: none can be made here (expected to be root, or a"
              + " group with the memory controller that this user may write)");
      return Map.of();
    }
    Map<ProxyArm, LimitedResult> results = new LinkedHashMap<>();
    waves("waves in a control group", limitBytes)
        .forEach((arm, runs) -> results.put(arm, LimitedResult.ofRuns(limitBytes, runs)));
    return results;
  }
}
