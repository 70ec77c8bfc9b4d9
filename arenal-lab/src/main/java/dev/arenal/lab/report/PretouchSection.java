package dev.arenal.lab.report;

import dev.arenal.lab.buffers.Claim;
import dev.arenal.lab.pretouch.PretouchClaims;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchPlan;
import dev.arenal.lab.pretouch.PretouchResult;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Pretouches as a section of the report. */
public final class PretouchSection {
  private static final String NAME = "pretouch";
  private static final String TITLE = "Memory at the start";
  private static final long LARGE_BYTES = 64 * PretouchPlan.GIB;
  private static final double GIB = 1 << 30;

  private PretouchSection() {}

  /** Everything there is to show about these figures. */
  public static Section of(PretouchMeasurement measurement) {
    List<String> findings = findings(measurement);
    return new Section(
        NAME,
        TITLE,
        headline(measurement),
        PretouchJson.object(measurement),
        html(measurement),
        findings,
        measurement.failures());
  }

  private static List<String> findings(PretouchMeasurement measurement) {
    List<String> findings = new ArrayList<>();
    if (measurement.results().isEmpty()) {
      findings.add("Pretouch was not measured: no size fits into the memory there is.");
    }
    add(findings, headline(measurement));
    add(findings, forecast(measurement));
    Refusal refusal = measurement.refusal();
    if (refusal != null) {
      findings.add(sentence(refusal));
    }
    List<Claim> claims = PretouchClaims.of(measurement);
    if (!claims.isEmpty()) {
      findings.add("Pretouch: " + ClaimTable.sentence(claims));
    }
    return findings;
  }

  private static void add(List<String> findings, String finding) {
    if (!finding.isEmpty()) {
      findings.add(finding);
    }
  }

  private static String headline(PretouchMeasurement measurement) {
    OptionalDouble g1 = PretouchClaims.g1Seconds(measurement);
    Optional<PretouchResult> small = PretouchClaims.fastest(measurement, Kind.ARENAL, false);
    Optional<PretouchResult> huge = PretouchClaims.fastest(measurement, Kind.ARENAL, true);
    Optional<PretouchResult> kernel = PretouchClaims.fastest(measurement, Kind.KERNEL, false);
    if (g1.isEmpty() || small.isEmpty() || huge.isEmpty()) {
      return "";
    }
    String bound =
        kernel
            .map(result ->
                "; a loop in C that does nothing else takes %s s"
                    .formatted(PretouchTables.seconds(result.wallSeconds())))
            .orElse("");
    return "AlwaysPreTouch lets G1 start %s s later with %s; Arenal has as much memory resident in"
            .formatted(
                PretouchTables.seconds(g1.getAsDouble()),
                PretouchPlan.sizeText(measurement.largestBytes()))
        + " %s s, with huge pages in %s s%s."
            .formatted(
                PretouchTables.seconds(small.get().wallSeconds()),
                PretouchTables.seconds(huge.get().wallSeconds()),
                bound);
  }

  private static String forecast(PretouchMeasurement measurement) {
    OptionalDouble g1 = PretouchClaims.g1Seconds(measurement);
    Optional<PretouchResult> small = PretouchClaims.fastest(measurement, Kind.ARENAL, false);
    Optional<PretouchResult> huge = PretouchClaims.fastest(measurement, Kind.ARENAL, true);
    if (g1.isEmpty() || small.isEmpty() || huge.isEmpty()) {
      return "";
    }
    double factor = (double) LARGE_BYTES / measurement.largestBytes();
    return "%s would take %s s (G1), %s s (Arenal) and %s s (Arenal, huge pages)."
        .formatted(
            PretouchPlan.sizeText(LARGE_BYTES),
            PretouchTables.seconds(g1.getAsDouble() * factor),
            PretouchTables.seconds(small.get().wallSeconds() * factor),
            PretouchTables.seconds(huge.get().wallSeconds() * factor));
  }

  private static String sentence(Refusal refusal) {
    String asked = String.format(Locale.ROOT, "%.1f GiB", refusal.askedBytes() / GIB);
    if (refusal.message().isEmpty()) {
      return "Asked for %s, twice what is available, Arenal did not refuse.".formatted(asked);
    }
    String killed =
        refusal.countKilled() > 0
            ? "; the kernel has ended processes for want of memory meanwhile: "
                + refusal.countKilled()
            : "";
    return String.format(
        Locale.ROOT,
        "Asked for %s, twice what is available, Arenal refuses after %.1f ms%s; to reserve the"
            + " addresses, its first use there, had taken %.0f ms.",
        asked,
        refusal.millis(),
        killed,
        refusal.firstUseMillis());
  }

  private static String html(PretouchMeasurement measurement) {
    StringBuilder html = new StringBuilder();
    for (String note : measurement.notes()) {
      html.append("<p class=\"note\">").append(Markup.escape(note)).append("</p>\n");
    }
    if (!measurement.results().isEmpty()) {
      html.insert(0, introduction(measurement));
      html.append(PretouchBars.figure(measurement));
      html.append("<h3>").append(Markup.escape(PretouchTables.forecastTitle(measurement)));
      html.append("</h3>\n").append(PretouchTables.forecast(measurement).html());
      for (long sizeBytes : PretouchTables.sizes(measurement)) {
        String size = PretouchPlan.sizeText(sizeBytes);
        html.append("<h3>%s. %s</h3>\n".formatted(size, PretouchTables.JVM_TITLE));
        html.append(PretouchTables.jvms(measurement, sizeBytes).html());
        html.append("<h3>%s. %s</h3>\n".formatted(size, PretouchTables.OTHER_TITLE));
        html.append(PretouchTables.others(measurement, sizeBytes).html());
      }
      html.append(
          """
          <p class="note">Spread: from the fastest run to the slowest one, over the median. Added: \
          longer than the same JVM without AlwaysPreTouch. User and system: processor time of all \
          threads in the time before them. First use: \
          what a program pays once for the library, whatever it does with it, here before what is \
          measured; the JVM's own start is not in what AlwaysPreTouch adds, either. \
          Populate: MADV_POPULATE_WRITE. Clear: zeros written into pages \
          that are there already, the work that no kernel can save.</p>
          """);
    }
    List<Claim> claims = PretouchClaims.of(measurement);
    if (!claims.isEmpty()) {
      html.append("<h3>Claims</h3>\n").append(ClaimTable.of(claims).html());
    }
    Refusal refusal = measurement.refusal();
    if (refusal != null && !refusal.message().isEmpty()) {
      html.append("<h4>What it says when it refuses</h4>\n<pre>");
      html.append(Markup.escape(refusal.message())).append("</pre>\n");
    }
    return html.toString();
  }

  private static String introduction(PretouchMeasurement measurement) {
    return """
    <p>A heap with equal -Xms and -Xmx is reserved at the start, and not there: the machine may \
    have promised what it does not have. AlwaysPreTouch touches every page at the start, Arenal \
    does the same for memory outside the heap. %s. Each run is a process of its own, and subjects \
    take turns. Right before each run another process touches as much memory and ends, since a \
    virtual machine may have given free memory away and must ask for it back, which would be paid \
    by whoever comes first.</p>
    """
        .formatted(Markup.escape(PretouchTables.what(measurement)));
  }
}
