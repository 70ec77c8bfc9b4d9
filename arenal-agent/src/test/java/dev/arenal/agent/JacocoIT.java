package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.net.URI;
import java.nio.file.Path;
import org.jacoco.agent.rt.RT;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JaCoCo's own agent beside this one: both do their work, whichever comes first. */
final class JacocoIT {
  private static final String MAIN =
      """
      package app;

      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class Main {
        static String simple() {
          try (Arena arena = Arena.ofConfined()) {
            return Kind.of(arena);
          }
        }

        static String two(int number) {
          String kinds = "";
          try (Arena arena =
                  Arena.ofConfined();
              Arena other = Arena.ofConfined()) {
            if (number > 7) {
              throw new IllegalStateException();
            }
            kinds = Kind.of(arena) + " "
                + Kind.of(other);
          } catch (IllegalStateException e) {
            kinds = "caught";
          } finally {
            kinds += ".";
          }
          return kinds;
        }

        static String inLoop() {
          String kinds = "";
          for (int i = 0; i < 3; i++) {
            try (Arena arena = Arena.ofConfined()) {
              if (i == 0) {
                continue;
              }
              if (i == 2) {
                break;
              }
              kinds += Kind.of(arena);
            }
          }
          return kinds;
        }

        static void empty() {
          try (Arena arena = Arena.ofConfined()) {}
        }

        public static void main(String[] arguments) {
          empty();
          Supplier<String> lambda =
              () -> {
                try (Arena arena = Arena.ofConfined()) {
                  return Kind.of(arena);
                }
              };
          Opening opening = new Opening() {};
          System.out.println(
              simple() + " " + two(1) + two(8) + " " + inLoop() + " " + lambda.get()
              + " " + opening.inInterface());
        }
      }

      interface Opening {
        default String inInterface() {
          try (Arena arena = Arena.ofConfined()) {
            return Kind.of(arena);
          }
        }
      }
      """;
  private static final String ALL_POOLED = "pooled pooled pooled.caught. pooled pooled pooled\n";

  @TempDir Path folder;

  private Path classes = Path.of("");
  private Path executed = Path.of("");

  @BeforeEach
  void compile() {
    classes =
        new Sources()
            .file("app/Main.java", MAIN)
            .file("app/Kind.java", RewriteIT.KIND)
            .compileInto(folder.resolve("classes"));
    executed = folder.resolve("jacoco.exec");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyTryWithResources_isPooled(boolean isJacocoFirst) {
    AgentJvm jvm = new AgentJvm();
    if (isJacocoFirst) {
      jvm = jvm.flags(jacoco());
    }
    jvm = jvm.agent("summary");
    if (!isJacocoFirst) {
      jvm = jvm.flags(jacoco());
    }
    Result result = jvm.run(classes, "app.Main");
    assertThat(result.out()).as(result.err()).isEqualTo(ALL_POOLED);
    assertThat(result.err())
        .isEqualTo(
            "arenal-agent: classesRewritten=2, sitesRewritten=7, sitesLeftAlone=0,"
                + " classesLeftAlone=0\n");
    // JaCoCo did its work too.
    assertThat(executed).isNotEmptyFile();
  }

  /** Code that a profiler of call times inserts, as many do. */
  @Test
  void toolThatCallsItsOwnCode_isNamedAsTheCause() {
    Path tool =
        Sources.jar(
            folder.resolve("tool.jar"),
            new Sources().file("Tool.java", TOOL).compileInto(folder.resolve("tool")),
            "Premain-Class: Tool\n");
    Result result = new AgentJvm().agent("").flags("-javaagent:" + tool).run(classes, "app.Main");
    assertThat(result.out()).isEqualTo(ALL_POOLED.replace("pooled", "jdk"));
    assertThat(result.err())
        .isEqualTo(
            "arenal-agent: another tool has put code that may throw between try blocks and the"
                + " closing of their arenas, and such sites are left alone: class=app.Main (the"
                + " first one; summary counts them, sites=all pools them too)\n");
    Result all =
        new AgentJvm().agent("sites=all").flags("-javaagent:" + tool).run(classes, "app.Main");
    assertThat(all.out()).isEqualTo(ALL_POOLED);
    assertThat(all.err()).isEmpty();
    Result counted =
        new AgentJvm().agent("summary").flags("-javaagent:" + tool).run(classes, "app.Main");
    assertThat(counted.err())
        .endsWith(
            "arenal-agent: classesRewritten=0, sitesRewritten=0, sitesLeftAlone=7"
                + " (try-with-resources that another tool has put code into: 7),"
                + " classesLeftAlone=0\n");
  }

  /** Calls a method of its own before every check for null, as before all other branches. */
  private static final String TOOL =
      """
      import java.lang.classfile.*;
      import java.lang.classfile.instruction.*;
      import java.lang.constant.*;
      import java.lang.instrument.*;
      import java.security.ProtectionDomain;

      public class Tool implements ClassFileTransformer {
        public static void premain(String options, Instrumentation i) {
          i.addTransformer(new Tool());
        }

        public static void note() {}

        @Override
        public byte[] transform(
            ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
          if (!name.startsWith("app/")) {
            return null;
          }
          ClassFile file = ClassFile.of();
          CodeTransform noting =
              (code, element) -> {
                if (element instanceof BranchInstruction branch
                    && branch.opcode() == Opcode.IFNULL) {
                  code.invokestatic(
                      ClassDesc.of("Tool"), "note", MethodTypeDesc.ofDescriptor("()V"));
                }
                code.with(element);
              };
          return file.transformClass(
              file.parse(bytes), ClassTransform.transformingMethodBodies(noting));
        }
      }
      """;

  private String jacoco() {
    String place = RT.class.getProtectionDomain().getCodeSource().getLocation().toString();
    Path jar = Path.of(URI.create(place));
    return "-javaagent:" + jar + "=destfile=" + executed;
  }
}
