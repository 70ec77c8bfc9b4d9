package dev.arenal.lab.jvm;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JVM to be run, with the flags it is run with: one curve.
 *
 * @param label its name in tables and charts, no other one's: JDK 25, JDK 11 (stock)
 * @param launcher its java command
 * @param version the whole version: 25.0.3+9-LTS
 * @param feature the feature version: 25
 * @param flags those the user has given for it
 */
@JsonIncludeProperties({"path", "version", "label", "isStock"})
public record JvmSpec(
    String label, Path launcher, String version, int feature, List<String> flags) {
  /** The first with an elastic metaspace, JEP 387. */
  static final int FIRST_ELASTIC = 16;

  static final int OLDEST = 11;

  public JvmSpec {
    flags = List.copyOf(flags);
  }

  @JsonCreator
  static JvmSpec read(
      @JsonProperty("label") String label,
      @JsonProperty("path") @Nullable String path,
      @JsonProperty("version") String version) {
    Path launcher = Path.of(path == null ? "" : path);
    return new JvmSpec(
        label, launcher, version, Runtime.Version.parse(version).feature(), List.of());
  }

  /** The launcher, as results call it. */
  @JsonProperty
  String path() {
    return launcher.toString();
  }

  /** Whether its metaspace is the one before JEP 387. */
  @JsonProperty("isStock")
  public boolean isStock() {
    return feature < FIRST_ELASTIC;
  }

  JvmSpec withLabel(String newLabel) {
    return new JvmSpec(newLabel, launcher, version, feature, flags);
  }
}
