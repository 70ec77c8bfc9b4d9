package dev.arenal.lab.replay;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.TemporaryFolder;
import dev.arenal.lab.process.Watcher;
import dev.arenal.lab.result.Median;
import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.Traces;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Replays traces with several allocators, each replay in a fresh process, and gathers the figures.
 */
public final class Replayer {
  private final ReplayOptions options;
  private final Watcher watcher;
  private final HeapLibraries libraries = HeapLibraries.ofThisMachine();

  /** Replays with these options and tells the watcher about it. */
  public Replayer(ReplayOptions options, Watcher watcher) {
    this.options = options;
    this.watcher = watcher;
  }

  /**
   * Replays one trace.
   *
   * @param pathOrName a trace file, or the name of an embedded trace
   * @throws IOException if the trace is missing or corrupt, or does not fit into memory
   */
  public TraceReplay replay(String pathOrName) throws IOException, InterruptedException {
    watcher.at(pathOrName, "reading", 0);
    ProgramBuilder builder = new ProgramBuilder();
    TraceInfo info = Traces.read(pathOrName, builder);
    ReplayProgram program = builder.build(info.name());
    TracePlan plan = TracePlan.of(program);
    long availableBytes = AvailableMemory.now().bytes();
    MemoryNeed.check(program, plan, options, availableBytes);

    TimeLimit limit = new TimeLimit(options.mostSeconds());
    Map<AllocatorKind, String> leftOut = leftOut(program, plan, limit, availableBytes);
    List<AllocatorKind> kinds =
        options.kinds().stream()
            .filter(kind -> kind.isReplayed() && !leftOut.containsKey(kind))
            .toList();
    if (!leftOut.isEmpty() && options.kinds().stream().allMatch(leftOut::containsKey)) {
      throw new IOException(String.join("; ", leftOut.values()));
    }
    Rounds<AllocatorKind, ChildResult> rounds = runAll(kinds, program, plan, limit);
    List<AllocatorReplay> results = new ArrayList<>();
    for (AllocatorKind kind : options.kinds()) {
      if (!kind.isReplayed()) {
        results.add(
            kind == AllocatorKind.HOTSPOT
                ? recorded(info, program.hotspot(), plan)
                : clairvoyant(program, plan));
      } else if (kinds.contains(kind) && !rounds.failures().containsKey(kind)) {
        results.add(replayed(kind, rounds.of(kind), program, plan));
      }
    }
    return new TraceReplay(
        info.name(),
        info.jvmVersion(),
        program.allocationCount(),
        program.arenas().arenaCount(),
        program.arenas().loaderCount(),
        program.operationCount(),
        plan.maxUsedBytes(),
        results,
        List.copyOf(rounds.failures().values()),
        notes(info, leftOut.values()));
  }

  private static List<String> notes(TraceInfo info, Collection<String> leftOut) {
    List<String> notes = new ArrayList<>(leftOut);
    if (info.anomalyCount() > 0) {
      notes.add(
          "The trace is not whole, and figures of it are wrong: "
              + info.anomalyCount()
              + " lines of its log did not fit together");
    }
    return List.copyOf(notes);
  }

  private Map<AllocatorKind, String> leftOut(
      ReplayProgram program, TracePlan plan, TimeLimit limit, long availableBytes) {
    Map<AllocatorKind, String> leftOut = new LinkedHashMap<>();
    for (AllocatorKind kind : options.kinds()) {
      MemoryNeed.leftOut(kind, program, plan, options.isVerifying(), availableBytes)
          .ifPresent(reason -> leftOut.put(kind, reason));
      limit.leftOut(kind, program).ifPresent(reason -> leftOut.put(kind, reason));
    }
    return leftOut;
  }

  private Rounds<AllocatorKind, ChildResult> runAll(
      List<AllocatorKind> kinds, ReplayProgram program, TracePlan plan, TimeLimit limit)
      throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("arenal-lab")) {
      Path file = folder.file("program");
      if (!kinds.isEmpty()) {
        folder.write("program", path -> ProgramFile.write(program, path));
      }
      return Rounds.of(
          kinds,
          options.runCount(),
          limit::fits,
          (kind, run) -> {
            boolean isVerifying = options.isVerifying();
            String step = "%s, run %d of %d".formatted(kind.label(), run, options.runCount());
            long heapBytes = ReplayWork.heapBytes(kind, program, plan, isVerifying);
            watcher.at(program.name(), step, 0);
            ReplayWork work = new ReplayWork(file, kind, isVerifying);
            long startNanos = System.nanoTime();
            ChildResult result =
                work.child(program.name(), heapBytes, libraries)
                    .run(
                        work,
                        ChildResult.class,
                        seconds -> watcher.at(program.name(), step, seconds));
            limit.took(kind, System.nanoTime() - startNanos);
            return result;
          });
    }
  }

  private static AllocatorReplay recorded(TraceInfo info, HotspotCurve curve, TracePlan plan) {
    return notReplayed(
        AllocatorKind.HOTSPOT,
        info.commitGranuleBytes() == 0 ? null : (long) info.commitGranuleBytes(),
        curve.isKnown() ? curve::committedBytesAfter : Replayer::unknown,
        plan);
  }

  private static AllocatorReplay clairvoyant(ReplayProgram program, TracePlan plan) {
    long[] operations = plan.sampleOperations();
    long[] committed = ClairvoyantCurve.committedBytes(program, operations);
    return notReplayed(
        AllocatorKind.CLAIRVOYANT,
        ClairvoyantCurve.PAGE_BYTES,
        operation -> committed[Arrays.binarySearch(operations, operation)],
        plan);
  }

  private static AllocatorReplay notReplayed(
      AllocatorKind kind,
      @Nullable Long granuleBytes,
      LongUnaryOperator committed,
      TracePlan plan) {
    SampleSource source = new SampleSource(committed, Replayer::unknown, Replayer::unknown);
    Phases phases = plan.phases();
    return new AllocatorReplay(
        kind,
        null,
        0,
        granuleBytes,
        null,
        null,
        null,
        null,
        source.at(phases.peak()),
        source.atNullable(phases.valley()),
        source.atNullable(phases.secondPeak()),
        source.at(phases.end()),
        source.timeline(plan));
  }

  private static long unknown(long operation) {
    return ReplayAllocator.UNKNOWN;
  }

  private static AllocatorReplay replayed(
      AllocatorKind kind, List<ChildResult> runs, ReplayProgram program, TracePlan plan)
      throws IOException {
    ChildResult result = Median.lower(runs, Comparator.comparingLong(ChildResult::wallNanos));
    Phases phases = plan.phases();
    SampleSource source = SampleSource.of(plan.sampleOperations(), result);
    long allocationCount = program.allocationCount();
    return new AllocatorReplay(
        kind,
        result.library().isEmpty() ? null : result.library(),
        runs.size(),
        SampleSource.nullable(result.granuleBytes()),
        result.wallNanos(),
        allocationCount == 0 ? null : (double) result.wallNanos() / allocationCount,
        result.compilerMillis(),
        result.headerBytesPerBlock() * phases.peak().blockCount(),
        source.at(phases.peak()),
        source.atNullable(phases.valley()),
        source.atNullable(phases.secondPeak()),
        source.at(phases.end()),
        source.timeline(plan));
  }
}
