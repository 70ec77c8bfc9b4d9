package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes whose loader does not see the agent, and other agents beside it. */
final class LoadersIT {
  private static final String USER =
      """
      package app;

      import java.lang.foreign.Arena;
      import java.util.function.Supplier;

      public class User implements Runnable, Opening {
        static Arena returned() { return Arena.ofConfined(); }

        public void run() {
          try (Arena arena = Arena.ofConfined(); Arena other = returned()) {
            System.out.println("class " + Kind.of(arena) + " " + Kind.of(other));
          }
          inInterface();
        }
      }

      interface Opening {
        default void inInterface() {
          try (Arena arena = Arena.ofConfined()) {
            System.out.println("interface " + Kind.of(arena));
          }
          Supplier<Arena> reference = Arena::ofConfined;
          try (Arena arena = reference.get()) {
            System.out.println("reference " + Kind.of(arena));
          }
        }
      }
      """;
  private static final String MAIN =
      """
      import java.net.*;
      import java.nio.file.Path;

      public class Main {
        public static void main(String[] arguments) throws Exception {
          URL[] classes = {Path.of(arguments[0]).toUri().toURL()};
          for (int i = 0; i < 2; i++) {
            // Asks its parent for nothing but the JDK, as OSGi does.
            ClassLoader loader =
                new URLClassLoader(classes, ClassLoader.getPlatformClassLoader());
            Runnable user =
                (Runnable) loader.loadClass("app.User").getDeclaredConstructor().newInstance();
            user.run();
            if (arguments.length > 1) {
              Class.forName(arguments[1]).getMethod("again").invoke(null);
              user.run();
            }
          }
        }
      }
      """;

  /** Changes every class of the program, and can have all of them transformed again. */
  private static final String OTHER_AGENT =
      """
      import java.lang.classfile.*;
      import java.lang.constant.*;
      import java.lang.instrument.*;
      import java.security.ProtectionDomain;
      import java.util.*;

      public class Other implements ClassFileTransformer {
        static Instrumentation instrumentation;
        static boolean isOfTheLastBytes;
        static byte[] last;

        public static void premain(String options, Instrumentation i) {
          instrumentation = i;
          isOfTheLastBytes = "last".equals(options);
          i.addTransformer(new Other(), true);
        }

        public static void again() throws Exception {
          for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (type.getName().startsWith("app.")
                && instrumentation.isModifiableClass(type)) {
              instrumentation.retransformClasses(type);
              byte[] bytes =
                  type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")
                      .readAllBytes();
              instrumentation.redefineClasses(
                  new ClassDefinition(type, isOfTheLastBytes ? last : bytes));
            }
          }
        }

        @Override
        public byte[] transform(
            ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
          if (!name.startsWith("app/")) {
            return null;
          }
          last = bytes;
          ClassFile file = ClassFile.of();
          CodeTransform printing =
              CodeTransform.ofStateful(() -> new CodeTransform() {
                public void atStart(CodeBuilder code) { code.nop(); }
                public void accept(CodeBuilder code, CodeElement element) { code.with(element); }
              });
          return file.transformClass(
              file.parse(bytes), ClassTransform.transformingMethodBodies(printing));
        }
      }
      """;

  private static final String ALL_POOLED =
      "class pooled pooled\ninterface pooled\nreference pooled\n";

  @TempDir Path folder;

  private Path user = Path.of("");
  private Path main = Path.of("");

  @BeforeEach
  void compile() {
    user =
        new Sources()
            .file("app/User.java", USER)
            .file("app/Kind.java", RewriteIT.KIND)
            .compileInto(folder.resolve("user"));
    main = new Sources().file("Main.java", MAIN).compileInto(folder.resolve("main"));
  }

  @Test
  void loaderThatDoesNotSeeTheAgent_getsThereAllTheSame() {
    Result result = new AgentJvm().agent("sites=all,summary").run(main, "Main", user.toString());
    assertThat(result.err())
        .isEqualTo(
            "arenal-agent: classesRewritten=4, sitesRewritten=8, sitesLeftAlone=0,"
                + " classesLeftAlone=0\n");
    assertThat(result.out()).isEqualTo(ALL_POOLED.repeat(2));
  }

  @Test
  void storedObjects_canStillBeRead() {
    Path stored =
        new Sources()
            .file(
                "app/User.java",
                """
                package app;

                import java.io.*;
                import java.lang.foreign.Arena;

                public class User implements Runnable, Serializable {
                  public void run() {
                    try (Arena arena = Arena.ofConfined()) {
                      long version = ObjectStreamClass.lookup(User.class).getSerialVersionUID();
                      System.out.println(Kind.of(arena) + " " + version);
                    }
                  }
                }
                """)
            .file("app/Kind.java", RewriteIT.KIND)
            .compileInto(folder.resolve("stored"));
    Result without = new AgentJvm().run(main, "Main", stored.toString());
    Result result = new AgentJvm().agent("").run(main, "Main", stored.toString());
    assertThat(without.out()).startsWith("jdk ");
    assertThat(result.out()).isEqualTo(without.out().replace("jdk", "pooled"));
  }

  @Test
  void bootstrapMethodsThatAreThere_stay() {
    // String concatenation has some; a class without any gets its first ones.
    Path plain =
        new Sources()
            .file("app/User.java", USER.replace("\"interface \" + Kind.of(arena)", "1"))
            .file("app/Kind.java", RewriteIT.KIND)
            .options("-XDstringConcat=inline")
            .compileInto(folder.resolve("plain"));
    Result result = new AgentJvm().agent("").run(main, "Main", plain.toString());
    assertThat(result.out()).isEqualTo("class pooled jdk\n1\nreference jdk\n".repeat(2));
    assertThat(result.err()).isEmpty();
  }

  @Test
  void classesThatOthersTransformAgain_keepTheirMethods() {
    Path other = otherAgent();
    for (boolean isFirst : new boolean[] {true, false}) {
      AgentJvm jvm = new AgentJvm();
      if (isFirst) {
        jvm = jvm.flags("-javaagent:" + other);
      }
      jvm = jvm.agent("sites=all,summary");
      if (!isFirst) {
        jvm = jvm.flags("-javaagent:" + other);
      }
      Result result = jvm.run(main, "Main", user.toString(), "Other");
      assertThat(result.out()).as(result.err()).isEqualTo(ALL_POOLED.repeat(4));
      assertThat(result.agentLines())
          .containsExactly(
              "classesRewritten=4, sitesRewritten=8, sitesLeftAlone=0, classesLeftAlone=0");
    }
  }

  /** A tool takes what the JVM shows it, which has been rewritten, for the class as it is. */
  @Test
  void classRedefinedAsItIs_keepsTheMethodsItHas() {
    Result result =
        new AgentJvm()
            .agent("sites=all,summary")
            .flags("-javaagent:" + otherAgent() + "=last")
            .run(main, "Main", user.toString(), "Other");
    assertThat(result.out()).as(result.err()).isEqualTo(ALL_POOLED.repeat(4));
    assertThat(result.agentLines())
        .containsExactly(
            "classesRewritten=4, sitesRewritten=8, sitesLeftAlone=0, classesLeftAlone=0");
  }

  @Test
  void classFileFromBeforeDynamicConstants_staysAsItWas() throws IOException {
    Path file = user.resolve("app/User.class");
    ClassFile classFile = ClassFile.of();
    byte[] older =
        classFile.transformClass(
            classFile.parse(Files.readAllBytes(file)),
            ClassTransform.endHandler(builder -> builder.withVersion(54, 0)));
    var _ = Files.write(file, older);
    Result result = new AgentJvm().agent("sites=all,summary").run(main, "Main", user.toString());
    assertThat(result.out())
        .isEqualTo(ALL_POOLED.replace("class pooled pooled", "class jdk jdk").repeat(2));
    assertThat(result.agentLines())
        .containsExactly(
            "classesRewritten=2, sitesRewritten=4, sitesLeftAlone=4 (class file older than Java 11"
                + " in a loader of its own: 4), classesLeftAlone=0");
  }

  private Path otherAgent() {
    Path classes =
        new Sources().file("Other.java", OTHER_AGENT).compileInto(folder.resolve("other"));
    return Sources.jar(
        folder.resolve("other.jar"),
        classes,
        """
        Premain-Class: Other
        Can-Retransform-Classes: true
        Can-Redefine-Classes: true
        """);
  }
}
