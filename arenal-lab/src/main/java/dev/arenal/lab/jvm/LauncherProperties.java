package dev.arenal.lab.jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a java launcher says about itself.
 *
 * <p>It is asked rather than looked at: the word java is often a script or a link of a version
 * manager, with no JDK around it.
 *
 * @param specification such as 25 or 1.8; empty where the program is no java launcher
 * @param version the whole version: 25.0.3+9-LTS
 * @param vmName such as OpenJDK 64-Bit Server VM
 */
public record LauncherProperties(String specification, String version, String vmName) {
  private static final Pattern PROPERTY = Pattern.compile("^    (java\\.[a-z.]+) = (.*)$");

  /** A launcher that has said nothing by then never will. */
  private static final long MOST_SECONDS = 30;

  /** Variables through which a JVM takes options that nobody sees on its command line. */
  private static final List<String> OPTION_VARIABLES =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  /** Asks the launcher; one that hangs is ended. */
  public static LauncherProperties ask(Path launcher) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(launcher.toString(), "-XshowSettings:properties", "-version");
    withoutOptionVariables(builder);
    builder.redirectErrorStream(true);
    Map<String, String> properties = read(builder.start());
    String specification = properties.getOrDefault("java.specification.version", "");
    String version =
        properties.getOrDefault(
            "java.runtime.version", properties.getOrDefault("java.version", specification));
    return new LauncherProperties(
        specification, version, properties.getOrDefault("java.vm.name", ""));
  }

  /** The feature version, such as 25; 0 for 1.8 and older. */
  public int feature() {
    return specification.matches("\\d{1,5}") ? Integer.parseInt(specification) : 0;
  }

  /** Whether the JVM has the metaspace this lab is about. */
  public boolean isHotSpot() {
    return !vmName.contains("OpenJ9");
  }

  /** Agents, logs and heaps in variables are for other programs. */
  public static void withoutOptionVariables(ProcessBuilder builder) {
    OPTION_VARIABLES.forEach(builder.environment()::remove);
  }

  private static Map<String, String> read(Process process) throws IOException {
    process.getOutputStream().close();
    var _ =
        process
            .onExit()
            .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
            .whenComplete((_, late) -> {
              if (late != null) {
                ProcessTree.kill(process);
              }
            });
    Map<String, String> properties = new HashMap<>();
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
  }
}
