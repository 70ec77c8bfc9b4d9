package dev.arenal.lab.record;

import dev.arenal.lab.jvm.LauncherProperties;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A JVM that can be recorded.
 *
 * @param feature the feature version: 25
 * @param version the whole version: 25.0.3+9-LTS
 */
record JvmProbe(int feature, String version) {
  static final int OLDEST_FEATURE = 17;

  /** Asks the launcher, and refuses a JVM that does not log its metaspace allocations. */
  static JvmProbe ask(Path launcher) throws RecordException {
    LauncherProperties properties;
    try {
      properties = LauncherProperties.ask(launcher);
    } catch (IOException e) {
      throw new RecordException(
          "cannot run the java launcher: command=" + launcher + ", cause=" + e.getMessage(), e);
    }
    if (properties.specification().isEmpty()) {
      throw new RecordException(
          "not a java launcher: command="
              + launcher
              + " (expected -XshowSettings:properties -version to show its version)");
    }
    int feature = properties.feature();
    if (feature < OLDEST_FEATURE || !properties.isHotSpot()) {
      throw new RecordException(
          ("this JVM does not log its metaspace allocations: version=%s, vm=%s,"
                  + " command=%s (expected a HotSpot JVM of Java %s or later)")
              .formatted(properties.version(), properties.vmName(), launcher, OLDEST_FEATURE));
    }
    return new JvmProbe(feature, properties.version());
  }
}
