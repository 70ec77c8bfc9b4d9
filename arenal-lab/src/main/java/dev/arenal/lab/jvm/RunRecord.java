package dev.arenal.lab.jvm;

import dev.arenal.lab.process.LastLines;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a run in progress: told by its reader line by line, asked by its sampler. */
final class RunRecord {
  /** The prefix of the workload's lines; its {@code EventStream} has the grammar. */
  private static final String PREFIX = "@arenal ";

  private static final int NOTE_COUNT = 5;
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<JvmPhase> phases = new ArrayList<>();
  private final List<JvmPoint> timeline = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder exact = new StringBuilder();
  private final StringBuilder basic = new StringBuilder();
  private final LastLines lastLines = new LastLines();
  private final Set<String> warnings = new LinkedHashSet<>();

  private long startNanos;
  private long lastNanos;
  private long lastPhaseNanos;
  private long pid;
  private @Nullable Long usedBytes;
  private @Nullable Long committedBytes;
  private boolean isEnded;

  RunRecord(long nanos) {
    startNanos = nanos;
    lastNanos = nanos;
    lastPhaseNanos = nanos;
  }

  /** Takes one line of output, which came at that time. */
  synchronized void line(String line, long nanos) {
    lastNanos = nanos;
    if (!line.startsWith(PREFIX)) {
      other(line);
      return;
    }
    String event = line.substring(PREFIX.length());
    try {
      event(event, nanos);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      // Half a line of a JVM that died while it wrote.
      other(line);
    }
  }

  private void event(String event, long nanos) {
    String[] words = event.split(" ", 3);
    switch (words[0]) {
      case "started" -> {
        pid = Long.parseLong(words[1]);
        startNanos = nanos;
        lastPhaseNanos = nanos;
      }
      case "sample" -> {
        usedBytes = Long.valueOf(words[1]);
        committedBytes = Long.valueOf(words[2]);
      }
      case "phase" -> phase(event.split(" ", 7), nanos);
      case "report" -> report(words[1]).append(words.length > 2 ? words[2] : "").append('\n');
      case "ended" -> isEnded = true;
      default -> other(event);
    }
  }

  private void phase(String[] words, long nanos) {
    JvmPhase phase =
        new JvmPhase(
            words[6],
            seconds(nanos),
            Long.parseLong(words[1]),
            Long.parseLong(words[2]),
            words[5].equals("-") ? null : Long.valueOf(words[5]));
    phases.add(phase);
    usedBytes = phase.usedBytes();
    committedBytes = phase.committedBytes();
    lastPhaseNanos = nanos;
  }

  private StringBuilder report(String kind) {
    return switch (kind) {
      case "text" -> text;
      case "exact" -> exact;
      default -> basic;
    };
  }

  private void other(String line) {
    lastLines.add(line);
    boolean isWarning =
        line.toLowerCase(Locale.ROOT).contains("warning") || line.contains("Ignoring option");
    if (isWarning && warnings.size() < NOTE_COUNT) {
      warnings.add(line.strip());
    }
  }

  /** Adds a point of the timeline, once the workload has begun. */
  synchronized void sample(long nanos, @Nullable Long residentBytes) {
    if (pid != 0 && !isEnded) {
      timeline.add(new JvmPoint(seconds(nanos), usedBytes, committedBytes, residentBytes));
    }
  }

  private double seconds(long nanos) {
    return (nanos - startNanos) / NANOS_PER_SECOND;
  }

  /** The process of the JVM itself; 0 until it has told. */
  synchronized long pid() {
    return isEnded ? 0 : pid;
  }

  synchronized boolean isEnded() {
    return isEnded;
  }

  synchronized long nanosOfLastLine() {
    return lastNanos;
  }

  synchronized long nanosOfLastPhase() {
    return lastPhaseNanos;
  }

  /** The current step, for the terminal. */
  synchronized String step() {
    return phases.isEmpty() ? "starting" : "after " + phases.getLast().label();
  }

  /** The last lines that are no events, each on an indented line of its own. */
  String tail() {
    return lastLines.text();
  }

  /** Everything in one piece. */
  synchronized JvmMeasurement measurement(JvmSpec spec, JvmFlags flags, @Nullable String failure) {
    List<String> notes = new ArrayList<>(warnings);
    Valley valley = MetaspaceReport.valley(exact.toString(), basic.toString()).orElse(null);
    boolean hasPassedValley =
        phases.stream().anyMatch(phase -> phase.label().equals(WorkloadShape.valleyLabel()));
    if (valley == null && hasPassedValley && failure == null) {
      notes.add("has no VM.metaspace report that is understood: no figures of waste");
    }
    double seconds = phases.isEmpty() ? 0 : phases.getLast().seconds();
    return new JvmMeasurement(
        spec,
        String.join(" ", flags.words()),
        flags.heapBytes(),
        seconds,
        phases,
        timeline,
        valley,
        text.toString(),
        notes,
        failure);
  }
}
