package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program on the class path, and what the agent says and does with each of its options. */
final class RewriteIT {
  private static final String MAIN =
      """
      package app;

      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Main {
        static String structured() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(5).set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) 1);
            return Kind.of(arena);
          }
        }

        static Arena returned() {
          return Arena.ofConfined();
        }

        public static void main(String[] arguments) {
          System.out.println("structured " + structured());
          try (Arena arena = returned()) {
            System.out.println("returned " + Kind.of(arena));
          }
          Supplier<Arena> reference = Arena::ofConfined;
          Supplier<Arena> again = Arena::ofConfined;
          try (Arena arena = reference.get(); Arena other = again.get()) {
            System.out.println("reference " + Kind.of(arena) + " " + Kind.of(other));
          }
          System.err.println("said by the program");
          System.exit(7);
        }
      }
      """;
  static final String KIND =
      """
      package app;

      public class Kind {
        static String of(java.lang.foreign.Arena arena) {
          String name = arena.getClass().getName();
          return name.endsWith("CountedArena") ? "counted"
              : name.startsWith("jdk.") ? "jdk" : "pooled";
        }
      }
      """;
  private static final String UNCHANGED = "structured jdk\nreturned jdk\nreference jdk jdk\n";
  private static final String SAID = "said by the program\n";

  @TempDir static Path folder;

  @BeforeAll
  static void compile() {
    var _ =
        new Sources().file("app/Main.java", MAIN).file("app/Kind.java", KIND).compileInto(folder);
  }

  @Test
  void structuredSites_arePooledAndTheProgramGoesOnAsBefore() {
    Result result = run(new AgentJvm().agent("summary"));
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.out()).isEqualTo(UNCHANGED.replace("structured jdk", "structured pooled"));
    assertThat(result.err())
        .isEqualTo(
            SAID
                + "arenal-agent: classesRewritten=1, sitesRewritten=1, sitesLeftAlone=3 (not"
                + " try-with-resources: 3), classesLeftAlone=0\n");
  }

  @Test
  void withoutOptions_nothingIsSaid() {
    Result result = run(new AgentJvm().agent(""));
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.out()).startsWith("structured pooled\nreturned jdk\n");
    assertThat(result.err()).isEqualTo(SAID);
  }

  @Test
  void allSites_arePooledOnRequest() {
    Result result = run(new AgentJvm().agent("sites=all,summary"));
    assertThat(result.out())
        .isEqualTo("structured pooled\nreturned pooled\nreference pooled pooled\n");
    assertThat(result.agentLines())
        .containsExactly(
            "classesRewritten=1, sitesRewritten=4, sitesLeftAlone=0, classesLeftAlone=0");
  }

  @Test
  void excludedClasses_stayAsTheyWere() {
    Result result = run(new AgentJvm().agent("sites=all,summary,exclude=app.M*;com.acme.*"));
    assertThat(result.out()).isEqualTo(UNCHANGED);
    assertThat(result.agentLines())
        .containsExactly(
            "classesRewritten=0, sitesRewritten=0, sitesLeftAlone=4 (excluded: 4),"
                + " classesLeftAlone=0");
    assertThat(run(new AgentJvm().agent("include=com.acme.*,include=*.Other")).out())
        .isEqualTo(UNCHANGED);
    assertThat(run(new AgentJvm().agent("include=com.acme.*,include=app.Mai?")).out())
        .startsWith("structured pooled");
  }

  @Test
  void verbose_saysEachClass() {
    assertThat(run(new AgentJvm().agent("verbose")).agentLines())
        .containsExactly(
            "class=app.Main, sites=4, rewritten=1, leftAlone=not try-with-resources,"
                + " leftAlone=not try-with-resources, leftAlone=not try-with-resources");
  }

  @Test
  void optionThatIsNotUnderstood_leavesTheProgramAlone() {
    Result result = run(new AgentJvm().agent("sites=all,sumary"));
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.out()).isEqualTo(UNCHANGED);
    assertThat(result.err())
        .isEqualTo(
            "arenal-agent: unknown option: option=sumary (expected, separated by commas:"
                + " sites=try-with-resources, sites=all, sites=none, include=PATTERN,"
                + " exclude=PATTERN, histogram=FILE, netty, netty=SECONDS, summary, verbose); the"
                + " program runs as without the agent\n"
                + SAID);
  }

  @Test
  void deniedNativeAccess_isSaidOnceAndNothingIsPooled() {
    Result result =
        run(
            new AgentJvm()
                .withoutNativeAccess()
                .flags("--illegal-native-access=deny")
                .agent("sites=all,summary"));
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.out()).isEqualTo(UNCHANGED);
    assertThat(result.err())
        .isEqualTo(
            "arenal-agent: native access is denied, so nothing is pooled: module=ALL-UNNAMED (add"
                + " --enable-native-access=ALL-UNNAMED to the java command; the program runs as"
                + " without the agent)\n"
                + SAID
                + "arenal-agent: classesRewritten=0, sitesRewritten=0, sitesLeftAlone=0,"
                + " classesLeftAlone=0\n");
  }

  @Test
  void deniedNativeAccess_stillRecords() {
    Path file = folder.resolve("denied.json");
    Result result =
        run(
            new AgentJvm()
                .withoutNativeAccess()
                .flags("--illegal-native-access=deny")
                .agent("sites=all,histogram=" + file));
    assertThat(result.out()).isEqualTo(UNCHANGED.replace("jdk", "counted"));
    assertThat(file)
        .content()
        .contains("\"pooledSites\": \"none\"", "\"arenasClosed\": 4,", "\"bytes\": 5,");
  }

  /** Where nothing is to be pooled, nothing is denied, and the JDK has nothing to warn of. */
  @Test
  void noSite_needsNoNativeAccess() {
    Path file = folder.resolve("none.json");
    AgentJvm jvm =
        new AgentJvm()
            .withoutNativeAccess()
            .flags("--illegal-native-access=deny")
            .agent("sites=none,histogram=" + file);
    assertThat(run(jvm).err()).isEqualTo(SAID);
    assertThat(run(new AgentJvm().withoutNativeAccess().agent("sites=none")).err()).isEqualTo(SAID);
    assertThat(file).content().contains("\"pooledSites\": \"none\"", "\"arenasClosed\": 4,");
  }

  @Test
  void histogramThatCannotBeWritten_isSaidAtTheStart() {
    Path file = folder.resolve("missing/file.json");
    Result result = run(new AgentJvm().agent("histogram=" + file));
    assertThat(result.out()).startsWith("structured pooled\nreturned jdk\n");
    assertThat(result.err())
        .isEqualTo(
            "arenal-agent: the histogram cannot be written, so none is recorded: file="
                + file
                + ", reason=no such folder (expected a file in a folder that can be written to)\n"
                + SAID);
  }

  private static Result run(AgentJvm jvm) {
    return jvm.run(folder, "app.Main", "some", "arguments");
  }
}
