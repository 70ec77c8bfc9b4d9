package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * Replays traces with several allocators, each replay in a fresh process, and gathers the figures.
 */
public final class Replayer {
  private final ReplayOptions options;
  private final ReplayProgress progress;
  private final HeapLibraries libraries = HeapLibraries.ofThisMachine();

  /** Replays with these options and tells {@code progress} about it. */
  public Replayer(ReplayOptions options, ReplayProgress progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Replays one trace.
   *
   * @param pathOrName a trace file, or the name of an embedded trace
   * @throws IOException if the trace is missing or corrupt, or does not fit into memory
   */
  public TraceReplay replay(String pathOrName) throws IOException, InterruptedException {
    progress.at(pathOrName, "reading", 0);
    ProgramBuilder builder = new ProgramBuilder();
    TraceInfo info = Traces.read(pathOrName, builder);
    ReplayProgram program = builder.build(info.name());
    TracePlan plan = TracePlan.of(program);
    MemoryNeed.check(program, plan, options, AvailableMemory.availableBytes());

    Map<AllocatorKind, String> failures = new LinkedHashMap<>();
    Map<AllocatorKind, List<ChildResult>> runs = runAll(program, plan, failures);
    List<AllocatorReplay> results = new ArrayList<>();
    for (AllocatorKind kind : options.kinds()) {
      if (!kind.isReplayed()) {
        results.add(recorded(kind, info, program.hotspot(), plan));
      } else if (!failures.containsKey(kind)) {
        results.add(replayed(kind, median(runs.getOrDefault(kind, List.of())), program, plan));
      }
    }
    return new TraceReplay(
        info.name(),
        info.jvmVersion(),
        program.countAllocations(),
        program.arenas().countArenas(),
        program.arenas().countLoaders(),
        program.countOperations(),
        plan.maxUsedBytes(),
        countRuns(runs),
        results,
        List.copyOf(failures.values()));
  }

  private Map<AllocatorKind, List<ChildResult>> runAll(
      ReplayProgram program, TracePlan plan, Map<AllocatorKind, String> failures)
      throws IOException, InterruptedException {
    if (options.kinds().stream().noneMatch(AllocatorKind::isReplayed)) {
      return Map.of();
    }
    Path file = Files.createTempFile("arenal-replay", ".program");
    try {
      ProgramFile.write(program, file);
      return runAll(file, program, plan, failures);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Allocators take turns, so that a slow minute of the machine hits all of them alike. */
  private Map<AllocatorKind, List<ChildResult>> runAll(
      Path file, ReplayProgram program, TracePlan plan, Map<AllocatorKind, String> failures)
      throws IOException, InterruptedException {
    Map<AllocatorKind, List<ChildResult>> runs = new EnumMap<>(AllocatorKind.class);
    long startNanos = System.nanoTime();
    for (int run = 1; run <= options.countRuns() && fits(run, startNanos); run++) {
      for (AllocatorKind kind : options.kinds()) {
        if (kind.isReplayed() && !failures.containsKey(kind)) {
          String step = "%s, run %d of %d".formatted(kind.label(), run, options.countRuns());
          long heapBytes = ChildCommand.heapBytes(kind, program, plan, options.isVerifying());
          try {
            runs.computeIfAbsent(kind, _ -> new ArrayList<>())
                .add(runOne(file, program.name(), kind, heapBytes, step));
          } catch (ReplayFailedException e) {
            failures.put(kind, String.valueOf(e.getMessage()));
          }
        }
      }
    }
    return runs;
  }

  /** Whether one more run of all allocators, as long as those before, is within the limit. */
  private boolean fits(int run, long startNanos) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    return run == 1 || seconds + seconds / (run - 1) <= options.mostSeconds();
  }

  private ChildResult runOne(
      Path file, String name, AllocatorKind kind, long heapBytes, String step)
      throws IOException, InterruptedException, ReplayFailedException {
    progress.at(name, step, 0);
    String mode = options.isVerifying() ? ReplayChild.VERIFY : ReplayChild.MEASURE;
    ProcessBuilder builder =
        ChildCommand.builder(
            ReplayChild.class,
            kind,
            kind.isLibrary() ? libraries.require(kind) : null,
            heapBytes,
            List.of(file.toString(), kind.label(), mode));
    return ChildProcess.run(
        "trace=%s, allocator=%s".formatted(name, kind.label()),
        builder,
        seconds -> progress.at(name, step, seconds));
  }

  /** How often it was replayed: fewer times than asked for if there was no time. */
  private static int countRuns(Map<AllocatorKind, List<ChildResult>> runs) {
    return runs.values().stream().mapToInt(List::size).max().orElse(0);
  }

  private static ChildResult median(List<ChildResult> runs) {
    List<ChildResult> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingLong(ChildResult::wallNanos));
    return sorted.get((sorted.size() - 1) / 2);
  }

  private static AllocatorReplay recorded(
      AllocatorKind kind, TraceInfo info, HotspotCurve curve, TracePlan plan) {
    LongUnaryOperator committed =
        curve.isKnown() ? curve::committedBytesAfter : _ -> ReplayAllocator.UNKNOWN;
    SampleSource source = new SampleSource(committed, _ -> ReplayAllocator.UNKNOWN);
    Phases phases = plan.phases();
    return new AllocatorReplay(
        kind,
        null,
        info.commitGranuleBytes() == 0 ? null : (long) info.commitGranuleBytes(),
        null,
        null,
        null,
        source.at(phases.peak()),
        source.atNullable(phases.valley()),
        source.atNullable(phases.secondPeak()),
        source.at(phases.end()),
        source.timeline(plan));
  }

  private static AllocatorReplay replayed(
      AllocatorKind kind, ChildResult result, ReplayProgram program, TracePlan plan)
      throws IOException {
    Phases phases = plan.phases();
    SampleSource source = SampleSource.of(plan.sampleOperations(), result);
    long countAllocations = program.countAllocations();
    return new AllocatorReplay(
        kind,
        result.library().isEmpty() ? null : result.library(),
        SampleSource.nullable(result.granuleBytes()),
        result.wallNanos(),
        countAllocations == 0 ? null : (double) result.wallNanos() / countAllocations,
        result.headerBytesPerBlock() * phases.peak().countBlocks(),
        source.at(phases.peak()),
        source.atNullable(phases.valley()),
        source.atNullable(phases.secondPeak()),
        source.at(phases.end()),
        source.timeline(plan));
  }
}
