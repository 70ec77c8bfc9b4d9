package dev.arenal.lab.scan;

import dev.arenal.agent.sites.SiteShape;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was found in one artifact. */
public record ArtifactScan(
    String artifact, long countClasses, List<FoundSite> sites, List<Problem> problems) {
  /** Takes copies of the lists. */
  public ArtifactScan {
    sites = List.copyOf(sites);
    problems = List.copyOf(problems);
  }

  /** How many sites there are of each shape; no shape is missing. */
  Map<SiteShape, Integer> counts() {
    Map<SiteShape, Integer> counts = new EnumMap<>(SiteShape.class);
    for (SiteShape shape : SiteShape.values()) {
      counts.put(shape, 0);
    }
    sites.forEach(found -> counts.merge(found.site().shape(), 1, Integer::sum));
    return counts;
  }

  /** How many of them the agent rewrites where it is not told otherwise. */
  long countRewritten() {
    return sites.stream().filter(found -> found.site().shape().isAlwaysClosed()).count();
  }
}
