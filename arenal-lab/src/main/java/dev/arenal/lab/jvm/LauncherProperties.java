package dev.arenal.lab.jvm;

import dev.arenal.lab.process.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The system properties that a java launcher prints about itself.
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

  /** Asks the launcher; one that hangs is ended. */
  public static LauncherProperties ask(Path launcher) throws IOException {
    Map<String, String> properties = new HashMap<>();
    List<String> command = List.of("" + launcher, "-XshowSettings:properties", "-version");
    try {
      for (String line : Program.run(Program.java(command), MOST_SECONDS).lines()) {
        Matcher matcher = PROPERTY.matcher(line);
        if (matcher.matches()) {
          properties.put(matcher.group(1), matcher.group(2).trim());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while it was asked: command=" + launcher, e);
    }
    String specification = properties.getOrDefault("java.specification.version", "");
    String version =
        properties.getOrDefault(
            "java.runtime.version", properties.getOrDefault("java.version", specification));
    return new LauncherProperties(
        specification, version, properties.getOrDefault("java.vm.name", ""));
  }

  /**
   * Asks a launcher whose JVM is to be used.
   *
   * @param oldest the feature version that it must have at least
   * @param otherwise what is wrong with another one, or with one that is not HotSpot
   * @throws IOException if it is no such launcher; its message says so
   */
  public static LauncherProperties require(Path launcher, int oldest, String otherwise)
      throws IOException {
    LauncherProperties properties;
    try {
      properties = ask(launcher);
    } catch (IOException e) {
      throw new IOException(
          "cannot run the java launcher: command=%s, cause=%s".formatted(launcher, e.getMessage()),
          e);
    }
    if (properties.specification().isEmpty()) {
      throw new IOException(
          "not a java launcher: command="
              + launcher
              + " (expected -XshowSettings:properties -version to show its version)");
    }
    if (properties.feature() < oldest || !properties.isHotSpot()) {
      throw new IOException(
          "%s: version=%s, vm=%s, command=%s (expected a HotSpot JVM of Java %d or later)"
              .formatted(otherwise, properties.version(), properties.vmName(), launcher, oldest));
    }
    return properties;
  }

  /** The feature version, such as 25; 0 for 1.8 and older. */
  public int feature() {
    return specification.matches("\\d{1,5}") ? Integer.parseInt(specification) : 0;
  }

  /** Whether the JVM has the metaspace this lab is about. */
  public boolean isHotSpot() {
    return !vmName.contains("OpenJ9");
  }
}
