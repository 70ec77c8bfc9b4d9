package dev.arenal.lab.scan;

import dev.arenal.agent.sites.SiteShape;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The findings, for people. */
public final class ScanText {
  private ScanText() {}

  /** The sites of one artifact below its name. */
  public static List<String> sites(ArtifactScan scan) {
    List<String> lines = new ArrayList<>();
    lines.add(scan.artifact() + ": " + summary(scan));
    Table table =
        Table.of(scan.sites())
            .words("", FoundSite::shape)
            .words("", FoundSite::className)
            .words("", FoundSite::method)
            .column("", found -> found.line() < 0 ? Figures.NONE : String.valueOf(found.line()))
            .words("", FoundSite::place)
            .table();
    table.lines().forEach(line -> lines.add("  " + line));
    return lines;
  }

  private static String summary(ArtifactScan scan) {
    String sites = count(scan.sites().size(), "site", "sites");
    String classes = count(scan.classCount(), "class", "classes");
    String unread =
        scan.problems().isEmpty()
            ? ""
            : ", " + count(scan.problems().size(), "file", "files") + " not read";
    return sites + " in " + classes + unread;
  }

  private static String count(long count, String one, String many) {
    return Figures.count(count) + " " + (count == 1 ? one : many);
  }

  /** A table with one line for each artifact and the sum of all, for a terminal. */
  public static List<String> totals(List<ArtifactScan> scans) {
    return table(scans).lines();
  }

  /** The same table in Markdown, with all shapes. */
  public static String markdown(List<ArtifactScan> scans) {
    return table(scans, List.of(SiteShape.values())).markdown();
  }

  /** The effect of the agent on all of them. */
  public static String verdict(List<ArtifactScan> scans) {
    ArtifactScan sum = sum(scans);
    return "The agent rewrites %s of %s unless told otherwise: those that are always closed."
        .formatted(Figures.count(sum.rewrittenCount()), count(sum.siteCount(), "site", "sites"));
  }

  /** Shapes that do not occur have no column: eight would not fit a terminal. */
  private static Table table(List<ArtifactScan> scans) {
    ArtifactScan sum = sum(scans);
    return table(
        scans, Arrays.stream(SiteShape.values()).filter(shape -> sum.count(shape) > 0).toList());
  }

  private static Table table(List<ArtifactScan> scans, List<SiteShape> shapes) {
    List<ArtifactScan> rows = new ArrayList<>(scans);
    if (scans.size() > 1) {
      rows.add(sum(scans));
    }
    Table.Of<ArtifactScan> table =
        Table.of(rows)
            .column("artifact", ArtifactScan::artifact)
            .column("sites", scan -> Figures.count(scan.siteCount()));
    for (SiteShape shape : shapes) {
      table.column(shape.label(), scan -> Figures.count(scan.count(shape)));
    }
    return table.column("rewritten", scan -> Figures.count(scan.rewrittenCount())).table();
  }

  /** All of them as if they were one. */
  private static ArtifactScan sum(List<ArtifactScan> scans) {
    return new ArtifactScan(
        "all",
        scans.stream().mapToLong(ArtifactScan::classCount).sum(),
        scans.stream().flatMap(scan -> scan.sites().stream()).toList(),
        List.of());
  }
}
