package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Class files that cannot be rewritten, and shapes that other compilers write. */
final class OddClassesIT {
  private static final String USER =
      """
      package app;

      import java.lang.foreign.Arena;

      public class User {
        public static void main(String[] arguments) {
          try (Arena arena = Arena.ofConfined()) {
            System.out.println(Kind.of(arena));
          }
        }
      }
      """;
  private static final String MAIN =
      """
      package app;

      public class Main {
        public static void main(String[] arguments) throws Throwable {
          try {
            Class.forName("app.User").getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
          } catch (Throwable e) {
            System.out.println(e);
          }
        }
      }
      """;

  @TempDir Path folder;

  @BeforeEach
  void compile() {
    var _ =
        new Sources()
            .file("app/User.java", USER)
            .file("app/Kind.java", RewriteIT.KIND)
            .file("app/Main.java", MAIN)
            .compileInto(folder);
  }

  @Test
  void fullConstantPool_staysAsItWasAndIsCounted() throws IOException {
    // Two entries are left, and a call takes five.
    change(bytes -> {
      ClassFile file = ClassFile.of();
      return file.transformClass(
          file.parse(bytes),
          ClassTransform.endHandler(builder -> {
            int next = 0;
            while (builder.constantPool().size() < 0xFFFF - 2) {
              var _ = builder.constantPool().utf8Entry("filler " + next++);
            }
          }));
    });
    Result result = run("summary");
    assertThat(result.out()).isEqualTo("jdk\n");
    assertThat(result.agentLines())
        .containsExactly(
            "classesRewritten=0, sitesRewritten=0, sitesLeftAlone=1 (no room in the class file: 1),"
                + " classesLeftAlone=0");
  }

  @Test
  void damagedClassFile_fallsToTheJvmToRefuse() throws IOException {
    change(bytes -> {
      byte[] shorter = new byte[bytes.length - 40];
      System.arraycopy(bytes, 0, shorter, 0, shorter.length);
      return shorter;
    });
    Result without = new AgentJvm().run(folder, "app.Main");
    assertThat(without.out()).contains("ClassFormatError");
    Result result = run("summary,verbose");
    assertThat(result.out()).isEqualTo(without.out());
    assertThat(result.exitCode()).isEqualTo(without.exitCode());
    assertThat(result.agentLines().getFirst())
        .startsWith("class=app.User, leftAlone=unreadable, cause=");
    assertThat(result.agentLines().getLast())
        .isEqualTo(
            "classesRewritten=0, sitesRewritten=0, sitesLeftAlone=0, classesLeftAlone=1"
                + " (unreadable: 1)");
  }

  @Test
  void serializableMethodReference_keepsTheNameItIsStoredUnder() {
    var _ =
        new Sources()
            .file(
                "app/User.java",
                """
                package app;

                import java.io.*;
                import java.lang.foreign.Arena;
                import java.util.function.Supplier;

                public class User {
                  interface Named {}

                  static Object copy(Object original) throws Exception {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    new ObjectOutputStream(bytes).writeObject(original);
                    return new ObjectInputStream(
                        new ByteArrayInputStream(bytes.toByteArray())).readObject();
                  }

                  @SuppressWarnings("unchecked")
                  public static void main(String[] arguments) throws Exception {
                    var stored = (Supplier<Arena> & Serializable) Arena::ofConfined;
                    var marked = (Supplier<Arena> & Named) Arena::ofConfined;
                    try (Arena arena = ((Supplier<Arena>) copy(stored)).get();
                        Arena other = marked.get()) {
                      System.out.println(Kind.of(arena) + " " + Kind.of(other));
                    }
                  }
                }
                """)
            .options("-cp", folder.toString())
            .compileInto(folder);
    Result result = run("sites=all,summary");
    assertThat(result.out()).isEqualTo("jdk pooled\n");
    // The other one is in the method that reads it.
    assertThat(result.err()).contains("(serializable method reference: 2)");
  }

  @Test
  void kotlinUse_isTakenForWhatItIs() {
    // The code of kotlinc for Arena.ofConfined().use { ... }, and the helper of its library.
    var _ =
        new Sources()
            .file(
                "kotlin/jdk7/AutoCloseableKt.java",
                """
                package kotlin.jdk7;

                public class AutoCloseableKt {
                  public static void closeFinally(AutoCloseable resource, Throwable cause) {
                    try {
                      resource.close();
                    } catch (Exception e) {
                      throw new RuntimeException(e);
                    }
                  }
                }
                """)
            .file(
                "app/User.java",
                """
                package app;

                import java.lang.foreign.Arena;
                import kotlin.jdk7.AutoCloseableKt;

                public class User {
                  public static void main(String[] arguments) throws Throwable {
                    AutoCloseable resource = (AutoCloseable) (Object) Arena.ofConfined();
                    Throwable cause = null;
                    try {
                      Arena arena = (Arena) resource;
                      System.out.println(Kind.of(arena));
                    } catch (Throwable e) {
                      cause = e;
                      throw e;
                    } finally {
                      AutoCloseableKt.closeFinally(resource, cause);
                    }
                  }
                }
                """)
            .options("-cp", folder.toString())
            .compileInto(folder);
    Result result = run("summary");
    assertThat(result.out()).isEqualTo("pooled\n");
    assertThat(result.agentLines())
        .containsExactly(
            "classesRewritten=1, sitesRewritten=1, sitesLeftAlone=0, classesLeftAlone=0");
  }

  private Result run(String options) {
    return new AgentJvm().agent(options).run(folder, "app.Main");
  }

  private void change(UnaryOperator<byte[]> change) throws IOException {
    Path file = folder.resolve("app/User.class");
    var _ = Files.write(file, change.apply(Files.readAllBytes(file)));
  }
}
