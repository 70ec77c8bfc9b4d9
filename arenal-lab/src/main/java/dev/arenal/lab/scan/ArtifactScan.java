package dev.arenal.lab.scan;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.arenal.agent.sites.SiteShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The findings in one artifact. */
@JsonIncludeProperties({"artifact", "sites", "shapes", "list"})
@JsonPropertyOrder({"artifact", "sites", "shapes", "list"})
public record ArtifactScan(
    String artifact,
    long classCount,
    @JsonProperty("list") List<FoundSite> sites,
    List<Problem> problems) {
  /** How many sites there are. */
  @JsonProperty("sites")
  int siteCount() {
    return sites.size();
  }

  /** How many sites there are of each shape; no shape is missing. */
  @JsonProperty
  Map<String, Integer> shapes() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (SiteShape shape : SiteShape.values()) {
      counts.put(shape.label(), count(shape));
    }
    return counts;
  }

  int count(SiteShape shape) {
    return (int) sites.stream().filter(found -> found.site().shape() == shape).count();
  }

  /** How many of them the agent rewrites where it is not told otherwise. */
  long rewrittenCount() {
    return sites.stream().filter(found -> found.site().shape().isAlwaysClosed()).count();
  }
}
