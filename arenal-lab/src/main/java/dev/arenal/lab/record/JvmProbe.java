package dev.arenal.lab.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a java launcher says about itself.
 *
 * <p>It is asked rather than looked at: the word java is often a script or a link of a version
 * manager, with no JDK around it.
 *
 * @param feature the feature version: 25
 * @param version the whole version: 25.0.3+9-LTS
 */
record JvmProbe(int feature, String version) {
  static final int OLDEST_FEATURE = 17;

  private static final Pattern PROPERTY = Pattern.compile("^    (java\\.[a-z.]+) = (.*)$");

  /** Asks the launcher, and refuses a JVM that does not log its metaspace allocations. */
  static JvmProbe ask(Path launcher) throws RecordException {
    Map<String, String> properties = readProperties(launcher);
    String specification = properties.getOrDefault("java.specification.version", "");
    String vmName = properties.getOrDefault("java.vm.name", "");
    String version =
        properties.getOrDefault(
            "java.runtime.version", properties.getOrDefault("java.version", specification));
    if (specification.isEmpty()) {
      throw new RecordException(
          "not a java launcher: command="
              + launcher
              + " (expected -XshowSettings:properties -version to show its version)");
    }
    int feature = featureOf(specification);
    if (feature < OLDEST_FEATURE || vmName.contains("OpenJ9")) {
      throw new RecordException(
          "this JVM does not log its metaspace allocations: version="
              + version
              + ", vm="
              + vmName
              + ", command="
              + launcher
              + " (expected a HotSpot JVM of Java "
              + OLDEST_FEATURE
              + " or later)");
    }
    return new JvmProbe(feature, version);
  }

  private static int featureOf(String specification) {
    try {
      return Integer.parseInt(specification);
    } catch (NumberFormatException e) {
      // 1.8 and older; whatever it is, it is not one of the numbers since 9.
      return 0;
    }
  }

  private static Map<String, String> readProperties(Path launcher) throws RecordException {
    ProcessBuilder builder =
        new ProcessBuilder(launcher.toString(), "-XshowSettings:properties", "-version");
    // Agents and logs are for the program, not for this question.
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("_JAVA_OPTIONS");
    builder.redirectErrorStream(true);
    Map<String, String> properties = new HashMap<>();
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Matcher matcher = PROPERTY.matcher(line);
          if (matcher.matches()) {
            properties.put(matcher.group(1), matcher.group(2).trim());
          }
        }
      }
      return properties;
    } catch (IOException e) {
      throw new RecordException(
          "cannot run the java launcher: command=" + launcher + ", cause=" + e.getMessage(), e);
    }
  }
}
