package dev.arenal.lab.scan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;

/** What was found, as JSON. */
public final class ScanJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ScanJson() {}

  /** One object with all artifacts. */
  public static String of(List<ArtifactScan> scans) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode artifacts = root.putArray("artifacts");
    for (ArtifactScan scan : scans) {
      ObjectNode artifact = artifacts.addObject();
      artifact.put("artifact", scan.artifact());
      artifact.put("sites", scan.sites().size());
      ObjectNode shapes = artifact.putObject("shapes");
      scan.counts().forEach((shape, count) -> shapes.put(shape.label(), count));
      ArrayNode list = artifact.putArray("list");
      for (FoundSite found : scan.sites()) {
        list.addObject()
            .put("class", found.site().className())
            .put("method", found.site().method())
            .put("line", found.site().line())
            .put("shape", found.site().shape().label())
            .put("entry", found.entry());
      }
    }
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
