package dev.arenal.lab.scan;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.arenal.agent.sites.Site;

/**
 * A site and the file it is in.
 *
 * @param entry the path of the class file inside the artifact; {@code !/} leads into a jar in a jar
 */
@JsonIncludeProperties({"class", "method", "line", "shape", "entry"})
@JsonPropertyOrder({"class", "method", "line", "shape", "entry"})
public record FoundSite(Site site, String entry) {
  private static final String SUFFIX = ".class";

  @JsonProperty("class")
  String className() {
    return site.className();
  }

  @JsonProperty
  String method() {
    return site.method();
  }

  @JsonProperty
  int line() {
    return site.line();
  }

  @JsonProperty
  String shape() {
    return site.shape().label();
  }

  /** The path before the class in its entry: a version of a multi-release jar, a jar in a jar. */
  String place() {
    String usual = site.className().replace('.', '/') + SUFFIX;
    return entry.endsWith(usual) ? entry.substring(0, entry.length() - usual.length()) : entry;
  }
}
