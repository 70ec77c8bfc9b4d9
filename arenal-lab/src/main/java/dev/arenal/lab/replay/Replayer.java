package dev.arenal.lab.replay;

import dev.arenal.lab.heap.ChildFailedException;
import dev.arenal.lab.heap.ChildProcess;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.heap.TemporaryFiles;
import dev.arenal.lab.result.Json;
import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.Traces;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    MemoryNeed.check(program, plan, options, AvailableMemory.now().bytes());

    Map<AllocatorKind, String> failures = new LinkedHashMap<>();
    TimeLimit limit = new TimeLimit(options.mostSeconds());
    Map<AllocatorKind, String> leftOut = leftOut(program, limit);
    Map<AllocatorKind, List<ChildResult>> runs =
        runAll(new Job(program, plan, limit, failures, leftOut.keySet()));
    List<AllocatorReplay> results = new ArrayList<>();
    for (AllocatorKind kind : options.kinds()) {
      if (!kind.isReplayed()) {
        results.add(recorded(kind, info, program.hotspot(), plan));
      } else if (!failures.containsKey(kind) && !leftOut.containsKey(kind)) {
        results.add(replayed(kind, runs.getOrDefault(kind, List.of()), program, plan));
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
        results,
        List.copyOf(failures.values()),
        List.copyOf(leftOut.values()));
  }

  /** What one trace is replayed with, and what becomes of it. */
  private record Job(
      ReplayProgram program,
      TracePlan plan,
      TimeLimit limit,
      Map<AllocatorKind, String> failures,
      Set<AllocatorKind> leftOut) {
    boolean isRun(AllocatorKind kind, int run) {
      return kind.isReplayed()
          && !leftOut.contains(kind)
          && !failures.containsKey(kind)
          && limit.fits(kind, run);
    }
  }

  private Map<AllocatorKind, String> leftOut(ReplayProgram program, TimeLimit limit) {
    Map<AllocatorKind, String> leftOut = new LinkedHashMap<>();
    for (AllocatorKind kind : options.kinds()) {
      limit.leftOut(kind, program).ifPresent(reason -> leftOut.put(kind, reason));
    }
    return leftOut;
  }

  private Map<AllocatorKind, List<ChildResult>> runAll(Job job)
      throws IOException, InterruptedException {
    if (options.kinds().stream().noneMatch(AllocatorKind::isReplayed)) {
      return Map.of();
    }
    Path file = TemporaryFiles.create(".program");
    try {
      TemporaryFiles.write(file, () -> ProgramFile.write(job.program(), file));
      return runAll(file, job);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Allocators take turns, so that a slow minute of the machine hits all of them alike. */
  private Map<AllocatorKind, List<ChildResult>> runAll(Path file, Job job)
      throws IOException, InterruptedException {
    Map<AllocatorKind, List<ChildResult>> runs = new EnumMap<>(AllocatorKind.class);
    for (int run = 1; run <= options.countRuns(); run++) {
      for (AllocatorKind kind : options.kinds()) {
        if (job.isRun(kind, run)) {
          try {
            runs.computeIfAbsent(kind, _ -> new ArrayList<>()).add(runOne(file, job, kind, run));
          } catch (ChildFailedException e) {
            job.failures().put(kind, String.valueOf(e.getMessage()));
          }
        }
      }
    }
    return runs;
  }

  private ChildResult runOne(Path file, Job job, AllocatorKind kind, int run)
      throws IOException, InterruptedException, ChildFailedException {
    String name = job.program().name();
    String step = "%s, run %d of %d".formatted(kind.label(), run, options.countRuns());
    long heapBytes = ChildCommand.heapBytes(kind, job.program(), job.plan(), options.isVerifying());
    progress.at(name, step, 0);
    String mode = options.isVerifying() ? ReplayChild.VERIFY : ReplayChild.MEASURE;
    ProcessBuilder builder =
        ChildCommand.builder(
            ReplayChild.class,
            kind,
            kind.isLibrary() ? libraries.require(kind) : null,
            heapBytes,
            List.of(file.toString(), kind.label(), mode));
    long startNanos = System.nanoTime();
    ChildResult result =
        ChildProcess.run(
            "replay",
            "trace=%s, allocator=%s".formatted(name, kind.label()),
            builder,
            seconds -> progress.at(name, step, seconds),
            Json.resultOf(ChildResult.class));
    job.limit().took(kind, System.nanoTime() - startNanos);
    return result;
  }

  private static ChildResult median(List<ChildResult> runs) {
    List<ChildResult> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingLong(ChildResult::wallNanos));
    return sorted.get((sorted.size() - 1) / 2);
  }

  private static AllocatorReplay recorded(
      AllocatorKind kind, TraceInfo info, HotspotCurve curve, TracePlan plan) {
    LongUnaryOperator unknown = _ -> ReplayAllocator.UNKNOWN;
    LongUnaryOperator committed = curve.isKnown() ? curve::committedBytesAfter : unknown;
    SampleSource source = new SampleSource(committed, unknown, unknown);
    Phases phases = plan.phases();
    return new AllocatorReplay(
        kind,
        null,
        0,
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
      AllocatorKind kind, List<ChildResult> runs, ReplayProgram program, TracePlan plan)
      throws IOException {
    ChildResult result = median(runs);
    Phases phases = plan.phases();
    SampleSource source = SampleSource.of(plan.sampleOperations(), result);
    long countAllocations = program.countAllocations();
    return new AllocatorReplay(
        kind,
        result.library().isEmpty() ? null : result.library(),
        runs.size(),
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
