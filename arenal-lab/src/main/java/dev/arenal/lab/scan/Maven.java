package dev.arenal.lab.scan;

import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.SearchPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The user's own Maven, called by its own command: its settings say which repositories there are,
 * and what it has fetched once it has again.
 */
final class Maven {
  private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:";
  private static final long MOST_SECONDS = 900;
  private static final int COUNT_LINES_SHOWN = 4;
  private static final List<String> UNREACHABLE =
      List.of(
          "offline mode",
          "unknown host",
          "unknownhost",
          "connection refused",
          "could not transfer",
          "temporary failure in name resolution",
          "network is unreachable",
          "timed out");

  private final Path program;

  private Maven(Path program) {
    this.program = program;
  }

  /**
   * The first one on the search path.
   *
   * @throws IOException if there is none
   */
  static Maven find(String searchPath) throws IOException {
    return new Maven(
        SearchPath.find(File.separatorChar == '\\' ? "mvn.cmd" : "mvn", searchPath)
            .orElseThrow(() ->
                new IOException(
                    "there is no mvn on the PATH (expected Apache Maven, which fetches artifacts;"
                        + " without it, name a jar)")));
  }

  /** Puts an artifact alone into the folder, and returns its file. */
  Path copy(Coordinates coordinates, Path folder) throws IOException, InterruptedException {
    run(
        folder,
        List.of(
            PLUGIN + "copy",
            "-Dartifact=" + coordinates.forMaven(),
            "-DoutputDirectory=" + folder));
    try (Stream<Path> files = Files.list(folder)) {
      return files.findFirst().orElseThrow(() -> new IOException("Maven has fetched nothing"));
    }
  }

  /**
   * Puts an artifact and what it needs at run time into the folder, laid out like a repository.
   *
   * @return the artifacts with their coordinates, in the order of their paths
   */
  List<Target> copyWithDependencies(Coordinates coordinates, Path folder)
      throws IOException, InterruptedException {
    Path project = Files.writeString(folder.resolve("pom.xml"), project(coordinates));
    Path repository = folder.resolve("repository");
    run(
        folder,
        List.of(
            "-f",
            project.toString(),
            PLUGIN + "copy-dependencies",
            "-DincludeScope=runtime",
            "-Dmdep.useRepositoryLayout=true",
            "-DoutputDirectory=" + repository));
    List<Target> targets = new ArrayList<>();
    for (Path file : filesIn(repository)) {
      // Descriptions lie there too, and libraries of other languages.
      if (FileKind.of(file) != FileKind.OTHER) {
        targets.add(new Target(Coordinates.ofRepository(repository.relativize(file)), file));
      }
    }
    return targets;
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** A project that needs nothing but the artifact. Coordinates have no letters to escape. */
  private static String project(Coordinates coordinates) {
    String classifier =
        coordinates.classifier().isEmpty()
            ? ""
            : "<classifier>" + coordinates.classifier() + "</classifier>";
    return """
    <project xmlns="http://maven.apache.org/POM/4.0.0">
      <modelVersion>4.0.0</modelVersion>
      <groupId>scan</groupId><artifactId>scan</artifactId><version>1</version>
      <packaging>pom</packaging>
      <dependencies>
        <dependency>
          <groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>
          <type>%s</type>%s
        </dependency>
      </dependencies>
    </project>
    """
        .formatted(
            coordinates.group(),
            coordinates.artifact(),
            coordinates.version(),
            coordinates.packaging(),
            classifier);
  }

  private void run(Path folder, List<String> arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "-q", "-B", "-Dstyle.color=never"));
    command.addAll(arguments);
    // Not in a project of the user, whose settings would join in.
    ProcessBuilder builder = Program.ofUser(command).directory(folder.toFile());
    Program.End end = Program.run(builder, MOST_SECONDS);
    if (end.isLate()) {
      throw new IOException("Maven took too long: seconds=" + MOST_SECONDS + words(end));
    }
    if (end.exitCode() != 0) {
      throw new IOException(cause(String.join("\n", end.lines())) + words(end));
    }
  }

  private static String cause(String said) {
    String small = said.toLowerCase(Locale.ROOT);
    // A repository that cannot be reached is the reason why the others do not have it.
    if (UNREACHABLE.stream().anyMatch(small::contains)) {
      return "Maven cannot reach its repositories and has no copy of its own (expected a network,"
          + " or an artifact that was fetched before)";
    }
    if (small.contains("could not find artifact") || small.contains("was not found in")) {
      return "no such artifact in the repositories of Maven's settings (expected"
          + " GROUP:ARTIFACT:VERSION of one that is there)";
    }
    return "Maven has failed";
  }

  /** The first lines of its errors; those behind tell how to ask Maven for more. */
  private static String words(Program.End end) {
    List<String> lines =
        end.lines().stream()
            .filter(line -> line.startsWith("[ERROR]"))
            .map(line -> line.substring("[ERROR]".length()).strip())
            .takeWhile(line -> !line.startsWith("To see the full stack trace"))
            .filter(line -> !line.isEmpty())
            .limit(COUNT_LINES_SHOWN)
            .toList();
    return lines.isEmpty() ? "" : "; it says:\n    " + String.join("\n    ", lines);
  }
}
