package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs in named modules, in a layer of their own, and in jars for several releases. */
final class ModulesIT {
  private static final String USER =
      """
      package app;

      import java.lang.foreign.Arena;

      public class User implements Runnable {
        public void run() {
          try (Arena arena = Arena.ofConfined()) {
            System.out.println(getClass().getModule() + " " + VERSION + " " + Kind.of(arena));
          }
        }

        static final String VERSION = "base";

        public static void main(String[] arguments) {
          new User().run();
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void namedModule_readsTheAgent() {
    Path module = sources().compileInto(folder.resolve("app.module"));
    Result result =
        new AgentJvm()
            .agent("summary")
            .runWords("-p", module.toString(), "-m", "app.module/app.User");
    assertThat(result.out()).isEqualTo("module app.module base pooled\n");
    assertThat(result.agentLines()).singleElement().asString().startsWith("classesRewritten=1, ");
  }

  @Test
  void moduleInALayerOfItsOwn_isGivenAWayToTheAgent() {
    Path module = sources().compileInto(folder.resolve("app.module"));
    Path main =
        new Sources()
            .file(
                "Main.java",
                """
                import java.lang.module.*;
                import java.nio.file.Path;
                import java.util.*;

                public class Main {
                  public static void main(String[] arguments) throws Exception {
                    ModuleLayer boot = ModuleLayer.boot();
                    Configuration configuration =
                        boot.configuration().resolve(
                            ModuleFinder.of(Path.of(arguments[0])), ModuleFinder.of(),
                            Set.of("app.module"));
                    ModuleLayer layer =
                        boot.defineModulesWithOneLoader(
                            configuration, ClassLoader.getPlatformClassLoader());
                    Class<?> user = layer.findLoader("app.module").loadClass("app.User");
                    ((Runnable) user.getDeclaredConstructor().newInstance()).run();
                  }
                }
                """)
            .compileInto(folder.resolve("main"));
    Result result = new AgentJvm().agent("summary").run(main, "Main", module.toString());
    assertThat(result.err()).startsWith("arenal-agent: classesRewritten=1, sitesRewritten=1, ");
    assertThat(result.out()).isEqualTo("module app.module base pooled\n");
  }

  @Test
  void multiReleaseJar_isRewrittenInTheVersionThatRuns() {
    Path classes =
        new Sources()
            .file("app/User.java", USER)
            .file("app/Kind.java", RewriteIT.KIND)
            .compileInto(folder.resolve("classes"));
    var _ =
        new Sources()
            .file("app/User.java", USER.replace("\"base\"", "\"newer\""))
            .options("-cp", classes.toString())
            .compileInto(classes.resolve("META-INF/versions/25"));
    Path jar = Sources.jar(folder.resolve("app.jar"), classes, "Multi-Release: true\n");
    Result result = new AgentJvm().agent("").run(jar, "app.User");
    assertThat(result.out()).startsWith("unnamed module @").endsWith(" newer pooled\n");
  }

  private static Sources sources() {
    return new Sources()
        .file("module-info.java", "module app.module { exports app; }")
        .file("app/User.java", USER)
        .file("app/Kind.java", RewriteIT.KIND);
  }
}
