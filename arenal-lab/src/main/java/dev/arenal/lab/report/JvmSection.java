package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.jvm.JvmComparison;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.jvm.Valley;
import dev.arenal.lab.jvm.WorkloadShape;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Measurements of JVMs as a section of the report. */
public final class JvmSection {
  /** More do not fit beside each other into a terminal. */
  private static final int MOST_PER_TABLE = 3;

  /** A label with long flags would widen its columns beyond any screen. */
  private static final int LONGEST_HEADING = 27;

  private static final String ELLIPSIS = "...";

  private JvmSection() {}

  /** Everything there is to show about these JVMs. */
  public static Section of(WorkloadShape shape, List<JvmMeasurement> measurements) {
    JvmFindings findings = new JvmFindings(shape, measurements);
    List<String> failures =
        measurements.stream().map(JvmMeasurement::failure).filter(Objects::nonNull).toList();
    return new Section(
        "jvm",
        "Real JVMs",
        findings.headline(),
        Json.tree(new JvmComparison(measurements, shape)),
        parts(
            shape,
            measurements.stream().filter(measurement -> !measurement.phases().isEmpty()).toList()),
        findings.sentences(),
        failures);
  }

  /** Committed metaspace of all JVMs, over what the last of them uses: for documents. */
  public static LineChart picture(List<JvmMeasurement> measurements) {
    return JvmCharts.picture(measurements);
  }

  /** A summary of a JVM as soon as it has ended. */
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

  /** Such as: when 4 of 5 generations are gone. */
  static String released(WorkloadShape shape) {
    return "when %d of %d generations are gone"
        .formatted(shape.generationCount() - 1, shape.generationCount());
  }

  private static List<Part> parts(WorkloadShape shape, List<JvmMeasurement> measured) {
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Part.Facts(
            "jvm", shape.description() + "; metaspace used, committed and resident size in MiB"));
    parts.add(
        new Part.Explanation(
            "Each JVM releases one generation after the other, with a collection after each."
                + " The heap has a fixed size and is touched at the start, so changes of the"
                + " resident size do not come from the heap."));
    if (measured.isEmpty()) {
      return parts;
    }
    parts.addAll(new JvmCharts(measured).parts());
    for (int first = 0; first < measured.size(); first += MOST_PER_TABLE) {
      int end = Math.min(first + MOST_PER_TABLE, measured.size());
      parts.add(phases(measured.subList(first, end)));
    }
    parts.add(
        new Part.Heading(
            "Where the memory is at the valley, %s, in MiB".formatted(released(shape))));
    parts.add(valley(measured));
    if (measured.stream().anyMatch(measurement -> isCountedTwice(measurement.valley()))) {
      parts.add(
          new Part.Note(
              "* jcmd VM.metaspace of this JVM counts the free chunks of the non-class space twice;"
                  + " here they count once."));
    }
    List<Part> reports = new ArrayList<>();
    for (JvmMeasurement measurement : measured) {
      String label = measurement.spec().label();
      String version = measurement.spec().version();
      parts.add(new Part.SmallPrint("%s: %s, %s".formatted(label, version, measurement.flags())));
      for (String note : measurement.notes()) {
        parts.add(new Part.SmallPrint(label + ": " + note));
      }
      String text = measurement.reportText().strip();
      reports.add(new Part.Listing(label, version, text.isEmpty() ? "no report" : text));
    }
    parts.add(
        new Part.Group(
            Part.Layout.MORE_DETAILS,
            "",
            "jcmd VM.metaspace at the valley, as each JVM prints it",
            reports));
    return parts;
  }

  /** A row per phase, three columns per JVM. */
  private static Table phases(List<JvmMeasurement> measurements) {
    Table table = new Table().column("phase");
    for (JvmMeasurement measurement : measurements) {
      String heading = shortened(measurement.spec().label());
      table.column(heading, "used").column(heading, "comm.").column(heading, "res.");
    }
    for (String label : labels(measurements)) {
      List<String> cells = new ArrayList<>(List.of(label));
      for (JvmMeasurement measurement : measurements) {
        JvmPhase phase = measurement.phase(label).orElse(null);
        cells.add(mebibytes(phase, JvmPhase::usedBytes));
        cells.add(mebibytes(phase, JvmPhase::committedBytes));
        cells.add(mebibytes(phase, JvmPhase::residentBytes));
      }
      table.row(cells);
    }
    List<String> seconds = new ArrayList<>(List.of("seconds"));
    for (JvmMeasurement measurement : measurements) {
      seconds.addAll(List.of("", "", Figures.format("%.1f", measurement.seconds())));
    }
    return table.row(seconds);
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
  private static Table valley(List<JvmMeasurement> measurements) {
    String notUsed = "committed and not used";
    return Table.of(measurements)
        .column("JVM", jvm -> jvm.spec().label() + (isCountedTwice(jvm.valley()) ? " *" : ""))
        .column("used", jvm -> mebibytes(jvm.valleyPhase().orElse(null), JvmPhase::usedBytes))
        .column(
            "committed", jvm -> mebibytes(jvm.valleyPhase().orElse(null), JvmPhase::committedBytes))
        .column("times used", jvm -> Figures.ratio(committedPerUsed(jvm)))
        .column(notUsed, "free chunks", jvm -> mebibytes(jvm.valley(), Valley::freeChunksBytes))
        .column(
            notUsed,
            "free in chunks in use",
            jvm -> mebibytes(jvm.valley(), Valley::freeInChunksBytes))
        .column(notUsed, "waste", jvm -> mebibytes(jvm.valley(), Valley::wasteBytes))
        .column(notUsed, "other", jvm -> mebibytes(jvm.valley(), Valley::otherBytes))
        .table();
  }

  private static <T> String mebibytes(@Nullable T of, Function<T, @Nullable Long> bytes) {
    return Figures.mebibytes(of == null ? null : bytes.apply(of));
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
