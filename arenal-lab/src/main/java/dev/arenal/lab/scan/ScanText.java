package dev.arenal.lab.scan;

import dev.arenal.agent.sites.Site;
import dev.arenal.agent.sites.SiteShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** What was found, for people. */
public final class ScanText {
  private ScanText() {}

  /** The sites of one artifact below its name. */
  public static List<String> sites(ArtifactScan scan) {
    List<String> lines = new ArrayList<>();
    lines.add(scan.artifact() + ": " + summary(scan));
    TextColumns table = new TextColumns(Set.of(3));
    for (FoundSite found : scan.sites()) {
      Site site = found.site();
      table.row(
          List.of(
              site.shape().label(),
              site.className(),
              site.method(),
              site.line() < 0 ? "-" : Integer.toString(site.line()),
              found.place()));
    }
    table.lines().forEach(line -> lines.add("  " + line));
    return lines;
  }

  private static String summary(ArtifactScan scan) {
    String sites = count(scan.sites().size(), "site", "sites");
    String classes = count(scan.countClasses(), "class", "classes");
    String unread =
        scan.problems().isEmpty()
            ? ""
            : ", " + count(scan.problems().size(), "file", "files") + " not read";
    return sites + " in " + classes + unread;
  }

  private static String count(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }

  /** A table with one line for each artifact and the sum of all, for a terminal. */
  public static List<String> totals(List<ArtifactScan> scans) {
    return table(scans).lines();
  }

  /** The same table in Markdown, with all shapes. */
  public static List<String> markdown(List<ArtifactScan> scans) {
    return table(scans, List.of(SiteShape.values())).markdown();
  }

  /** What the agent would do with all of them. */
  public static String verdict(List<ArtifactScan> scans) {
    long countSites = scans.stream().mapToLong(scan -> scan.sites().size()).sum();
    long countRewritten = scans.stream().mapToLong(ArtifactScan::countRewritten).sum();
    return String.format(
        Locale.ROOT,
        "The agent rewrites %,d of %s unless told otherwise: those that are always closed.",
        countRewritten,
        count(countSites, "site", "sites"));
  }

  /** Shapes that do not occur have no column: eight would not fit a terminal. */
  private static TextColumns table(List<ArtifactScan> scans) {
    Map<SiteShape, Integer> sums = sums(scans);
    return table(
        scans,
        Arrays.stream(SiteShape.values())
            .filter(shape -> sums.getOrDefault(shape, 0) > 0)
            .toList());
  }

  private static TextColumns table(List<ArtifactScan> scans, List<SiteShape> shapes) {
    Set<Integer> figures = Set.copyOf(IntStream.rangeClosed(1, shapes.size() + 2).boxed().toList());
    TextColumns table = new TextColumns(figures);
    List<String> names = new ArrayList<>(List.of("artifact", "sites"));
    shapes.forEach(shape -> names.add(shape.label()));
    names.add("rewritten");
    table.row(names);
    for (ArtifactScan scan : scans) {
      table.row(
          cells(
              scan.artifact(), scan.sites().size(), scan.counts(), scan.countRewritten(), shapes));
    }
    if (scans.size() > 1) {
      table.row(
          cells(
              "all",
              scans.stream().mapToLong(scan -> scan.sites().size()).sum(),
              sums(scans),
              scans.stream().mapToLong(ArtifactScan::countRewritten).sum(),
              shapes));
    }
    return table;
  }

  private static List<String> cells(
      String name,
      long countSites,
      Map<SiteShape, Integer> counts,
      long countRewritten,
      List<SiteShape> shapes) {
    List<String> cells = new ArrayList<>(List.of(name, figure(countSites)));
    shapes.forEach(shape -> cells.add(figure(counts.getOrDefault(shape, 0))));
    cells.add(figure(countRewritten));
    return cells;
  }

  private static String figure(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static Map<SiteShape, Integer> sums(List<ArtifactScan> scans) {
    Map<SiteShape, Integer> sums = new EnumMap<>(SiteShape.class);
    for (ArtifactScan scan : scans) {
      scan.counts().forEach((shape, count) -> sums.merge(shape, count, Integer::sum));
    }
    return sums;
  }
}
