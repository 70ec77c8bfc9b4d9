package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.arenal.agent.AgentJvm.Running;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent in a program that runs already. */
final class AttachIT {
  private static final String MAIN =
      """
      package app;

      import java.lang.foreign.Arena;
      import java.net.*;
      import java.nio.file.Path;

      public class Main {
        public static void main(String[] arguments) throws Exception {
          Path classes =
              Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
          URL[] urls = {classes.resolve("plugin/").toUri().toURL()};
          Runnable seeing = user(new URLClassLoader(urls, Main.class.getClassLoader()));
          Runnable blind =
              user(new URLClassLoader(urls, ClassLoader.getPlatformClassLoader()));
          for (int line = 0; line >= 0; line = System.in.read()) {
            if (line != 10) {
              own();
              System.out.print(", seeing ");
              seeing.run();
              System.out.print(", blind ");
              blind.run();
              System.out.println();
            }
          }
        }

        // A method that runs goes on as it was; the next call is the changed one.
        static void own() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(20);
            System.out.print("main " + Kind.of(arena));
          }
        }

        static Runnable user(ClassLoader loader) throws Exception {
          return (Runnable) loader.loadClass("plugin.User").getDeclaredConstructor().newInstance();
        }
      }
      """;
  private static final String USER =
      """
      package plugin;

      import java.lang.foreign.Arena;

      public class User implements Runnable {
        public void run() {
          try (Arena arena = Arena.ofConfined()) {
            System.out.print(arena.getClass().getName().startsWith("jdk.") ? "jdk" : "pooled");
          }
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void classesThatAreLoaded_arePooledFromThenOn() throws Exception {
    Path err = folder.resolve("err");
    try (Running program = start(new AgentJvm(), err)) {
      program.writeLine("x");
      assertThat(program.readLine()).isEqualTo("main jdk, seeing jdk, blind jdk");
      attach(program, "summary");
      program.writeLine("x");
      assertThat(program.readLine()).isEqualTo("main pooled, seeing pooled, blind jdk");
      attach(program, "sites=all");
      attach(program, "dump");
      program.process().getOutputStream().close();
      assertThat(program.exitCode()).isZero();
    }
    assertThat(Files.readString(err).lines().filter(line -> line.startsWith("arenal-agent: ")))
        .containsExactly(
            "arenal-agent: the agent is already running, so these options have no effect:"
                + " options=sites=all (use dump to write the histogram now)",
            "arenal-agent: no histogram is recorded: option=dump (start the program with the agent"
                + " and histogram=FILE)",
            "arenal-agent: classesRewritten=2, sitesRewritten=2, sitesLeftAlone=1 (loaded before"
                + " the agent by a loader that does not see it: 1), classesLeftAlone=0");
  }

  @Test
  void histogram_isWrittenOnRequestAndAtTheEnd() throws Exception {
    Path file = folder.resolve("figures.json");
    try (Running program =
        start(new AgentJvm().agent("histogram=" + file), folder.resolve("err"))) {
      program.writeLine("x");
      var _ = program.readLine();
      assertThat(file).doesNotExist();
      attach(program, "dump");
      assertThat(file).content().contains("\"arenasClosed\": 6,", "\"bytes\": 40,");
      program.writeLine("x");
      var _ = program.readLine();
      program.process().getOutputStream().close();
      assertThat(program.exitCode()).isZero();
    }
    assertThat(file).content().contains("\"arenasClosed\": 9,", "\"bytes\": 60,");
    assertThat(folder.resolve("figures.json.txt")).content().startsWith("arenas closed: 9; ");
    assertThat(folder).isDirectoryNotContaining("glob:**.part");
  }

  private Running start(AgentJvm jvm, Path err) throws Exception {
    Path classes =
        new Sources()
            .file("app/Main.java", MAIN)
            .file("app/Kind.java", RewriteIT.KIND)
            .compileInto(folder.resolve("classes"));
    var _ = new Sources().file("plugin/User.java", USER).compileInto(classes.resolve("plugin"));
    Running program = jvm.flags("-XX:+EnableDynamicAgentLoading").start(classes, err, "app.Main");
    assertThat(program.readLine()).startsWith("main ");
    return program;
  }

  private static void attach(Running program, String options) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(program.pid()));
    try {
      machine.loadAgent(AgentJvm.AGENT.toString(), options);
    } finally {
      machine.detach();
    }
  }
}
