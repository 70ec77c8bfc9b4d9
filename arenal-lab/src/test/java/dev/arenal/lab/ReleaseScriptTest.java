package dev.arenal.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that makes a release, in a repository of its own. */
final class ReleaseScriptTest {
  private static final String POM =
      """
      <project>
        <version>9.8.0-SNAPSHOT</version>
        <properties>
          <project.build.outputTimestamp>2026-01-01T00:00:00Z</project.build.outputTimestamp>
        </properties>
        <dependency><version>9.8.0</version></dependency>
      </project>
      """;

  private static final String MODULE =
      "<project>\n  <parent>\n    <version>9.8.0-SNAPSHOT</version>\n  </parent>\n</project>\n";

  private static final String CHANGELOG =
      "# Changelog\n\n## [Unreleased]\n\n### API\n\n- Versions read `9.8.0-SNAPSHOT`.\n"
          + "- Another line.\n".repeat(10_000);

  @TempDir private Path temp = Path.of("");
  private Path root = Path.of("");

  @BeforeEach
  void createRepository() throws Exception {
    assumeTrue(isThere("git") && isThere("bash"), "a release is made by bash and git");
    root = Files.createDirectories(temp.resolve("my repository")).toRealPath();
    Path script = Files.createDirectories(root.resolve("build-tools")).resolve("release");
    Files.copy(Documents.root().resolve("build-tools/release"), script);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    write("pom.xml", POM);
    write("arenal-core/pom.xml", MODULE);
    write("arenal-lab/src/main/java/Main.java", "\"arenal 9.8.0-SNAPSHOT\"\n");
    write("corpus/record", "java -cp a-9.8.0-SNAPSHOT.jar\n");
    write("README.md", "<version>9.8.0-SNAPSHOT</version>\n");
    write("docs/netty.md", "`dev.arenal:arenal:9.8.0-SNAPSHOT`\n");
    write("docs/adr/0001-versions.md", "9.8.0-SNAPSHOT was the first.\n");
    write("CHANGELOG.md", CHANGELOG);
    assertThat(run("git", "init", "-q")).isEmpty();
    assertThat(run("git", "config", "user.name", "A Person")).isEmpty();
    assertThat(run("git", "config", "user.email", "person@example.org")).isEmpty();
    assertThat(run("git", "config", "core.autocrlf", "false")).isEmpty();
    commit();
  }

  @Test
  void release_isTwoCommitsAndATag() throws Exception {
    assertThat(release("9.8.0", "--date", "2027-01-15", "--unsigned"))
        .isEqualTo("tag v9.8.0, then 9.9.0-SNAPSHOT; to publish: git push --follow-tags\n");

    assertThat(run("git", "log", "--format=%s%d")).contains("Release 9.8.0 (tag: v9.8.0)\n");
    assertThat(run("git", "status", "--porcelain")).isEmpty();
    assertThat(released("pom.xml"))
        .isEqualTo(POM.replace("9.8.0-SNAPSHOT", "9.8.0").replace("2026-01-01T", "2027-01-15T"));
    assertThat(released("arenal-core/pom.xml")).isEqualTo(MODULE.replace("-SNAPSHOT", ""));
    assertThat(released("arenal-lab/src/main/java/Main.java")).isEqualTo("\"arenal 9.8.0\"\n");
    assertThat(released("README.md")).isEqualTo("<version>9.8.0</version>\n");
    assertThat(released("docs/netty.md")).isEqualTo("`dev.arenal:arenal:9.8.0`\n");
    assertThat(released("docs/adr/0001-versions.md")).isEqualTo("9.8.0-SNAPSHOT was the first.\n");
    assertThat(released("CHANGELOG.md"))
        .isEqualTo(
            CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n\n## [9.8.0] - 2027-01-15\n"));

    assertThat(read("pom.xml")).isEqualTo(POM.replace("9.8.0-S", "9.9.0-S"));
    assertThat(read("arenal-core/pom.xml")).isEqualTo(MODULE.replace("9.8.0-S", "9.9.0-S"));
    assertThat(read("arenal-lab/src/main/java/Main.java")).isEqualTo("\"arenal 9.9.0-SNAPSHOT\"\n");
    assertThat(read("corpus/record")).isEqualTo("java -cp a-9.9.0-SNAPSHOT.jar\n");
    assertThat(read("README.md")).isEqualTo("<version>9.8.0</version>\n");
  }

  @Test
  void secondRelease_replacesTheFirstInDocuments() throws Exception {
    assertThat(release("9.8.0", "--unsigned")).startsWith("tag v9.8.0");
    write("CHANGELOG.md", read("CHANGELOG.md").replace("[Unreleased]\n", "[Unreleased]\n\n- A.\n"));
    commit();

    assertThat(release("9.9.0", "--unsigned")).startsWith("tag v9.9.0, then 9.10.0-SNAPSHOT");

    assertThat(read("README.md")).isEqualTo("<version>9.9.0</version>\n");
    assertThat(read("docs/netty.md")).isEqualTo("`dev.arenal:arenal:9.9.0`\n");
    assertThat(read("pom.xml")).isEqualTo(POM.replace("9.8.0-S", "9.10.0-S"));
  }

  @Test
  void wrongWords_areRefused() throws Exception {
    assertThat(release())
        .isEqualTo("release: not a version: version= (expected one such as 0.1.0)\n");
    assertThat(release("9.8.0-RC1"))
        .isEqualTo("release: not a version: version=9.8.0-RC1 (expected one such as 0.1.0)\n");
    assertThat(release("9.8.0", "--sign"))
        .isEqualTo("release: unknown word: word=--sign (expected --date, --next or --unsigned)\n");
    assertThat(release("9.8.0", "--date", "tomorrow"))
        .isEqualTo("release: not a date: date=tomorrow (expected one such as 2027-01-15)\n");
    assertThat(release("9.8.0", "--next", "9.9"))
        .isEqualTo(
            "release: not a version: version=9.9 (expected one such as 0.2.0, without"
                + " -SNAPSHOT)\n");
    assertNothingHappened();
  }

  @Test
  void treeThatIsNotReady_isRefused() throws Exception {
    write("docs/more.md", "Status: not released; it may change.\n");
    assertThat(release("9.8.0"))
        .isEqualTo("release: uncommitted changes (expected a clean working tree)\n");
    commit();
    assertThat(release("9.8.0"))
        .isEqualTo(
            """
            release: documents say that there is no release yet (change these lines first):
            docs/more.md:1:Status: not released; it may change.
            """);
    write("docs/more.md", "Released.\n");
    write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [0.0.1] - 2026-01-01\n\n- One.\n");
    commit();
    assertThat(release("9.8.0"))
        .isEqualTo("release: no changes: CHANGELOG.md has nothing under Unreleased\n");
    assertNothingHappened();
    assertThat(run("git", "tag", "v9.8.0")).isEmpty();
    assertThat(release("9.8.0"))
        .isEqualTo("release: tag exists: tag=v9.8.0 (expected a new version)\n");
  }

  @Test
  void tagThatCannotBeSigned_leavesNothing() throws Exception {
    assertThat(run("git", "config", "gpg.program", "/bin/false")).isEmpty();
    assertThat(release("9.8.0"))
        .endsWith(
            "release: no release: version=9.8.0 (expected a commit, and a key that git can sign"
                + " with); nothing has changed\n");
    assertNothingHappened();
    assertThat(run("git", "log", "--format=%s")).isEqualTo("as it is\n");
  }

  private void assertNothingHappened() throws Exception {
    assertThat(run("git", "status", "--porcelain")).isEmpty();
    assertThat(run("git", "tag")).isEmpty();
    assertThat(read("pom.xml")).isEqualTo(POM);
  }

  private String release(String... words) throws Exception {
    return run(
        Stream.concat(Stream.of("build-tools/release"), Stream.of(words)).toArray(String[]::new));
  }

  private void commit() throws Exception {
    assertThat(run("git", "add", "-A")).isEmpty();
    assertThat(run("git", "commit", "-qm", "as it is")).isEmpty();
  }

  private String released(String file) throws Exception {
    return run("git", "show", "v9.8.0:" + file);
  }

  private String read(String file) throws IOException {
    return Files.readString(root.resolve(file));
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** All that it prints. Settings of the user, such as a hook or a key, do not count. */
  private String run(String... words) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(List.of(words));
    builder.directory(root.toFile()).redirectErrorStream(true);
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return said;
  }

  private static boolean isThere(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
