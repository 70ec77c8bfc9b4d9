package dev.arenal.lab.report;

import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.jvm.Valley;
import dev.arenal.lab.jvm.WorkloadShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measurements of JVMs as lines for a terminal. */
public final class JvmTables {
  /** More do not fit beside each other into a terminal. */
  private static final int MOST_PER_TABLE = 3;

  /** A label with long flags would widen its columns beyond any screen. */
  private static final int LONGEST_HEADING = 27;

  private static final String ELLIPSIS = "...";

  private JvmTables() {}

  /** What there is to say of a JVM as soon as it has ended. */
  public static List<String> remarks(JvmMeasurement measurement) {
    List<String> lines = new ArrayList<>();
    for (String note : measurement.notes()) {
      lines.add("note: %s: %s".formatted(measurement.spec().label(), note));
    }
    String failure = measurement.failure();
    if (failure != null) {
      lines.add(failure);
    }
    return lines;
  }

  /** The heading, the phases, and where the memory is at the valley. */
  public static List<String> lines(WorkloadShape shape, List<JvmMeasurement> measurements) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "jvm: " + shape.description() + "; metaspace used, committed and resident size in MiB");
    List<JvmMeasurement> measured = measured(measurements);
    for (int first = 0; first < measured.size(); first += MOST_PER_TABLE) {
      int end = Math.min(first + MOST_PER_TABLE, measured.size());
      lines.addAll(phases(measured.subList(first, end)).lines());
      lines.add("");
    }
    if (!measured.isEmpty()) {
      lines.add(valleyHeading(shape) + ", in MiB:");
      lines.addAll(valley(measured).lines());
      lines.addAll(valleyNotes(measured));
      lines.add("");
    }
    return lines;
  }

  /** Those that have come to a phase at least. */
  static List<JvmMeasurement> measured(List<JvmMeasurement> measurements) {
    return measurements.stream().filter(measurement -> !measurement.phases().isEmpty()).toList();
  }

  static String valleyHeading(WorkloadShape shape) {
    return "Where the memory is at the valley, %s".formatted(released(shape));
  }

  /** Such as: four of five generations gone. */
  static String released(WorkloadShape shape) {
    return "when %d of %d generations are gone"
        .formatted(shape.countGenerations() - 1, shape.countGenerations());
  }

  /** A row per phase, three columns per JVM. */
  static TextTable phases(List<JvmMeasurement> measurements) {
    TextTable table = new TextTable().column("", "phase");
    for (JvmMeasurement measurement : measurements) {
      String heading = heading(measurement);
      table.column(heading, "used").column(heading, "comm.").column(heading, "res.");
    }
    for (String label : labels(measurements)) {
      List<String> cells = new ArrayList<>(List.of(label));
      for (JvmMeasurement measurement : measurements) {
        Optional<JvmPhase> phase = measurement.phase(label);
        cells.add(Figures.mebibytes(phase.map(JvmPhase::usedBytes).orElse(null)));
        cells.add(Figures.mebibytes(phase.map(JvmPhase::committedBytes).orElse(null)));
        cells.add(Figures.mebibytes(phase.isPresent() ? phase.get().residentBytes() : null));
      }
      table.row(cells);
    }
    List<String> seconds = new ArrayList<>(List.of("seconds"));
    for (JvmMeasurement measurement : measurements) {
      seconds.addAll(List.of("", "", String.format(Locale.ROOT, "%.1f", measurement.seconds())));
    }
    table.row(seconds);
    return table;
  }

  private static String heading(JvmMeasurement measurement) {
    return shortened(measurement.spec().label());
  }

  /** The ends of a long label tell most: the version, and the value of a flag. */
  static String shortened(String label) {
    if (label.length() <= LONGEST_HEADING) {
      return label;
    }
    int kept = (LONGEST_HEADING - ELLIPSIS.length()) / 2;
    return label.substring(0, kept) + ELLIPSIS + label.substring(label.length() - kept);
  }

  /** The phases of the JVM that came furthest. */
  static List<String> labels(List<JvmMeasurement> measurements) {
    List<String> longest = List.of();
    for (JvmMeasurement measurement : measurements) {
      if (measurement.phases().size() > longest.size()) {
        longest = measurement.phases().stream().map(JvmPhase::label).toList();
      }
    }
    return longest;
  }

  /** A row per JVM: used and what is committed beyond. */
  static TextTable valley(List<JvmMeasurement> measurements) {
    TextTable table =
        new TextTable()
            .column("", "JVM")
            .column("", "used")
            .column("", "committed")
            .column("", "times used")
            .column("committed and not used", "free chunks")
            .column("committed and not used", "free in chunks in use")
            .column("committed and not used", "waste")
            .column("committed and not used", "other");
    for (JvmMeasurement measurement : measurements) {
      Valley valley = measurement.valley();
      JvmPhase phase = measurement.valleyPhase().orElse(null);
      List<String> cells = new ArrayList<>();
      cells.add(measurement.spec().label() + (isCountedTwice(valley) ? " *" : ""));
      cells.add(Figures.mebibytes(phase == null ? null : phase.usedBytes()));
      cells.add(Figures.mebibytes(phase == null ? null : phase.committedBytes()));
      cells.add(Figures.ratio(committedPerUsed(measurement)));
      cells.add(Figures.mebibytes(valley == null ? null : valley.freeChunksBytes()));
      cells.add(Figures.mebibytes(valley == null ? null : valley.freeInChunksBytes()));
      cells.add(Figures.mebibytes(valley == null ? null : valley.wasteBytes()));
      cells.add(Figures.mebibytes(valley == null ? null : valley.otherBytes()));
      table.row(cells);
    }
    return table;
  }

  /** What stands under the table of the valley. */
  static List<String> valleyNotes(List<JvmMeasurement> measurements) {
    boolean isAnyCorrected =
        measurements.stream().anyMatch(measurement -> isCountedTwice(measurement.valley()));
    return isAnyCorrected
        ? List.of(
            "* jcmd VM.metaspace of this JVM counts the free chunks of the non-class space twice;"
                + " here they count once.")
        : List.of();
  }

  private static boolean isCountedTwice(@Nullable Valley valley) {
    return valley != null && valley.isCountedTwice();
  }

  /** How many times what it uses a JVM keeps at the valley; null if it did not get there. */
  static @Nullable Double committedPerUsed(JvmMeasurement measurement) {
    JvmPhase phase = measurement.valleyPhase().orElse(null);
    return phase == null || phase.usedBytes() == 0
        ? null
        : (double) phase.committedBytes() / phase.usedBytes();
  }
}
