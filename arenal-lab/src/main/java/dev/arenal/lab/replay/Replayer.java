package dev.arenal.lab.replay;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.TemporaryFolder;
import dev.arenal.lab.process.Watcher;
import dev.arenal.lab.replay.ChildResult.Moment;
import dev.arenal.lab.replay.Phases.Phase;
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
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Replays traces with several allocators, each replay in a fresh process, and gathers the figures.
 */
public final class Replayer {
  private static final long UNKNOWN = ReplayAllocator.UNKNOWN;

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
      if (kind == AllocatorKind.HOTSPOT) {
        results.add(result(kind, 0, recorded(info, builder.hotspot(), plan), program, plan));
      } else if (kind == AllocatorKind.CLAIRVOYANT) {
        results.add(result(kind, 0, clairvoyant(program, plan), program, plan));
      } else if (kinds.contains(kind) && !rounds.failures().containsKey(kind)) {
        List<ChildResult> runs = rounds.of(kind);
        ChildResult middle = Median.lower(runs, Comparator.comparingLong(ChildResult::wallNanos));
        results.add(result(kind, runs.size(), middle, program, plan));
      }
    }
    return new TraceReplay(
        info.name(),
        info.jvmVersion(),
        program.allocationCount(),
        program.arenas().arenaCount(),
        program.arenas().loaderCount(),
        program.operationCount(),
        plan.most().usedBytes(),
        results,
        List.copyOf(rounds.failures().values()),
        notes(info, leftOut.values()));
  }

  private static List<String> notes(TraceInfo info, Collection<String> leftOut) {
    List<String> notes = new ArrayList<>(leftOut);
    if (info.anomalyCount() > 0) {
      notes.add(
          "The trace is incomplete, so its figures are wrong: "
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

  /** The committed bytes of the recorded JVM, if it told them. */
  private static ChildResult recorded(TraceInfo info, HotspotCurve curve, TracePlan plan) {
    return notReplayed(
        info.commitGranuleBytes() == 0 ? UNKNOWN : info.commitGranuleBytes(),
        LongStream.of(plan.sampleOperations())
            .map(curve.isKnown() ? curve::committedBytesAfter : _ -> UNKNOWN));
  }

  private static ChildResult clairvoyant(ReplayProgram program, TracePlan plan) {
    return notReplayed(
        ClairvoyantCurve.PAGE_BYTES,
        LongStream.of(ClairvoyantCurve.committedBytes(program, plan.sampleOperations())));
  }

  /** Committed bytes that follow from the trace alone; nothing else is known. */
  private static ChildResult notReplayed(long granuleBytes, LongStream committedBytes) {
    List<Moment> moments =
        committedBytes.mapToObj(bytes -> new Moment(bytes, UNKNOWN, UNKNOWN)).toList();
    return new ChildResult("", granuleBytes, UNKNOWN, UNKNOWN, moments);
  }

  /** The figures of one run for a reader; those that are unknown do not exist. */
  private static AllocatorReplay result(
      AllocatorKind kind, int runCount, ChildResult run, ReplayProgram program, TracePlan plan)
      throws IOException {
    long[] operations = plan.sampleOperations();
    if (operations.length != run.moments().size()) {
      throw new IOException(
          "the trace changed while it was replayed: sampleCount=%d (expected %d)"
              .formatted(run.moments().size(), operations.length));
    }
    Function<Phase, Sample> at =
        phase -> {
          Moment moment = run.moments().get(Arrays.binarySearch(operations, phase.operation()));
          return new Sample(
              phase.operation(),
              phase.usedBytes(),
              known(moment.committedBytes()),
              known(moment.residentBytes()),
              known(moment.wallNanos()));
        };
    Phases phases = plan.phases();
    Phase valley = phases.valley();
    Phase secondPeak = phases.secondPeak();
    Long wallNanos = known(run.wallNanos());
    Long headerBytes = known(run.headerBytesPerBlock());
    long allocationCount = program.allocationCount();
    return new AllocatorReplay(
        kind,
        run.library().isEmpty() ? null : run.library(),
        runCount,
        known(run.granuleBytes()),
        wallNanos,
        wallNanos == null || allocationCount == 0 ? null : (double) wallNanos / allocationCount,
        known(run.compilerMillis()),
        headerBytes == null ? null : headerBytes * phases.peak().blockCount(),
        at.apply(phases.peak()),
        valley == null ? null : at.apply(valley),
        secondPeak == null ? null : at.apply(secondPeak),
        at.apply(phases.end()),
        plan.timeline().stream().map(at).toList());
  }

  private static @Nullable Long known(long figure) {
    return figure == UNKNOWN ? null : (Long) figure;
  }
}
