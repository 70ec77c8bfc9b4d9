package dev.arenal.lab.jvm;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks for the JVMs of this machine: the one running, JAVA_HOME, the search path, the folders that
 * installers and version managers use, and Maven's toolchains.
 *
 * <p>Of each feature version one is taken, the newest; in the order of their versions.
 *
 * @param environment the variables to look as they say, which are real ones but in tests
 * @param running the home of the JVM that this runs on
 */
record JvmFinder(Map<String, String> environment, Path running) {
  private static final Pattern JDK_HOME = Pattern.compile("<jdkHome>\\s*([^<]+?)\\s*</jdkHome>");

  private static final List<String> FOLDERS =
      List.of(
          "/usr/lib/jvm",
          "/usr/lib64/jvm",
          "/usr/java",
          "/usr/local/java",
          "/opt",
          "/opt/java",
          "/Library/Java/JavaVirtualMachines");

  private static final List<String> FOLDERS_OF_USER =
      List.of(
          ".sdkman/candidates/java",
          ".jdks",
          ".gradle/jdks",
          ".jabba/jdk",
          ".asdf/installs/java",
          ".jenv/versions",
          ".local/share/mise/installs/java",
          "Library/Java/JavaVirtualMachines");

  private static final BinaryOperator<JvmSpec> NEWER =
      BinaryOperator.maxBy(Comparator.comparing(spec -> versionOf(spec.version())));

  static JvmFinder ofThisMachine() {
    return new JvmFinder(System.getenv(), Path.of(System.getProperty("java.home")));
  }

  /** One JVM per feature version, oldest first. */
  List<JvmSpec> find() {
    Map<Integer, JvmSpec> newest = new TreeMap<>();
    Set<Path> seen = new HashSet<>();
    for (Path home : homes()) {
      Path launcher = home.resolve("bin").resolve("java");
      if (Files.isExecutable(launcher) && seen.add(real(launcher))) {
        ask(launcher).forEach(spec -> newest.merge(spec.feature(), spec, NEWER));
      }
    }
    return List.copyOf(newest.values());
  }

  /** The JVM as a list of one; of none where it is not one for this lab. */
  private static List<JvmSpec> ask(Path launcher) {
    try {
      LauncherProperties properties = LauncherProperties.ask(launcher);
      int feature = properties.feature();
      return feature >= JvmSpec.OLDEST && properties.isHotSpot()
          ? List.of(new JvmSpec("", launcher, properties.version(), feature, List.of()))
          : List.of();
    } catch (IOException e) {
      // A leftover of an installation; a user that wants it names it, and sees the reason.
      return List.of();
    }
  }

  private static Runtime.Version versionOf(String text) {
    Matcher matcher = Pattern.compile("^\\d+(\\.\\d+)*").matcher(text);
    // Only the numbers: what stands behind them is the vendor's.
    String numbers = matcher.find() ? matcher.group().replaceAll("(\\.0)+$", "") : "0";
    return Runtime.Version.parse(numbers.equals("0") ? "1" : numbers);
  }

  private Collection<Path> homes() {
    List<Path> homes = new ArrayList<>();
    homes.add(running);
    String javaHome = environment.getOrDefault("JAVA_HOME", "");
    if (!javaHome.isBlank()) {
      homes.add(Path.of(javaHome));
    }
    addFromSearchPath(homes);
    String folders = environment.get("ARENAL_JDK_FOLDERS");
    if (folders != null && !folders.isBlank()) {
      for (String folder : folders.split(":", -1)) {
        if (!folder.isBlank()) { // it would be the folder that the lab runs in
          addAllIn(Path.of(folder), homes);
        }
      }
      return homes;
    }
    FOLDERS.forEach(folder -> addAllIn(Path.of(folder), homes));
    String user = environment.getOrDefault("HOME", "");
    if (!user.isBlank()) {
      FOLDERS_OF_USER.forEach(folder -> addAllIn(Path.of(user, folder), homes));
      addFromToolchains(Path.of(user, ".m2", "toolchains.xml"), homes);
    }
    return homes;
  }

  private void addFromSearchPath(List<Path> homes) {
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path launcher = Path.of(folder.isEmpty() ? "." : folder, "java");
      if (Files.isExecutable(launcher)) {
        Path bin = real(launcher).getParent();
        Path home = bin == null ? null : bin.getParent();
        if (home != null) {
          homes.add(home);
        }
      }
    }
  }

  private static void addAllIn(Path folder, List<Path> homes) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isDirectory)) {
      List<Path> sorted = new ArrayList<>();
      entries.forEach(sorted::add);
      sorted.sort(Comparator.naturalOrder());
      for (Path entry : sorted) {
        homes.add(entry);
        homes.add(entry.resolve("Contents").resolve("Home"));
      }
    } catch (IOException | RuntimeException e) {
      // Most of these folders are not on any one machine.
      return;
    }
  }

  private static void addFromToolchains(Path file, List<Path> homes) {
    try {
      Matcher matcher = JDK_HOME.matcher(Files.readString(file));
      while (matcher.find()) {
        homes.add(Path.of(matcher.group(1)));
      }
    } catch (IOException | RuntimeException e) {
      // Without toolchains, or with some that only Maven understands, there are the other places.
      return;
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath();
    }
  }
}
