package dev.arenal.agent;

import static dev.arenal.agent.NettyPrograms.IN_PAGES;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.arenal.agent.AgentJvm.Result;
import dev.arenal.agent.AgentJvm.Running;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several copies of Netty, whose loaders do not see the agent; and one that is there already. */
final class NettyLoadersIT {
  private static final String MAIN =
      """
      import java.io.File;
      import java.lang.ref.WeakReference;
      import java.net.*;
      import java.nio.file.Path;
      import java.util.*;

      public class Main {
        public static void main(String[] arguments) throws Exception {
          List<ClassLoader> loaders = new ArrayList<>();
          for (String classPath : arguments) {
            List<URL> classes = new ArrayList<>();
            for (String path : classPath.split(File.pathSeparator)) {
              classes.add(Path.of(path).toUri().toURL());
            }
            // Asks its parent for nothing but the JDK, as OSGi does.
            ClassLoader loader =
                new URLClassLoader(
                    classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            Class<?> user = loader.loadClass("app.User");
            Runnable run = (Runnable) user.getDeclaredConstructor().newInstance();
            Thread thread = new Thread(run);
            thread.start();
            thread.join();
            loaders.add(loader);
          }
          WeakReference<ClassLoader> first = new WeakReference<>(loaders.getFirst());
          loaders.clear();
          for (int i = 0; i < 1000 && first.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
          }
          System.out.println(first.get() == null ? "unloaded" : "still there");
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void eachCopy_getsPagesOfTheSameAllocator() {
    String classPath = compiled("a", NettyPrograms.NEW) + File.pathSeparator + NettyPrograms.NEW;
    String other =
        compiled("b", NettyPrograms.PREVIOUS) + File.pathSeparator + NettyPrograms.PREVIOUS;
    Path main = new Sources().file("Main.java", MAIN).compileInto(folder.resolve("main"));
    Result result =
        new AgentJvm().agent("netty,summary").run(main, "Main", classPath, classPath, other);
    assertThat(result.out())
        .as(result.err())
        .isEqualTo(
            IN_PAGES
                + "used 8448\n"
                + IN_PAGES
                + "used 16896\n"
                + IN_PAGES
                + "used 25344\n"
                + "unloaded\n");
    assertThat(result.agentLines())
        .filteredOn(line -> line.contains("in pages"))
        .hasSize(3)
        .allMatch(line -> line.contains(", loader=java.net.URLClassLoader@"));
    assertThat(result.agentLines())
        .last()
        .asString()
        .startsWith("netty: classesFound=3, usedBytes=25344, committedBytes=2097152, ");
  }

  @Test
  void loaderThatNamesNoClass_hasItsBuffersInPages() {
    Path program =
        new Sources()
            .options("-cp", NettyPrograms.NEW)
            .file(
                "app/User.java", NettyPrograms.USER.replace("ALLOCATOR", "PooledByteBufAllocator"))
            .file(
                "app/Nameless.java",
                """
                package app;

                import java.io.*;

                public class Nameless extends ClassLoader {
                  Nameless() { super(ClassLoader.getPlatformClassLoader()); }

                  @Override
                  protected Class<?> findClass(String name) throws ClassNotFoundException {
                    String file = name.replace('.', '/') + ".class";
                    try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
                      byte[] classFile = in.readAllBytes();
                      return defineClass(null, classFile, 0, classFile.length);
                    } catch (IOException | NullPointerException e) {
                      throw new ClassNotFoundException(name);
                    }
                  }

                  public static void main(String[] arguments) throws Exception {
                    Class<?> user = new Nameless().loadClass("app.User");
                    ((Runnable) user.getDeclaredConstructor().newInstance()).run();
                  }
                }
                """)
            .compileInto(folder);
    Result result =
        new AgentJvm()
            .agent("netty")
            .runWords("-cp", program + File.pathSeparator + NettyPrograms.NEW, "app.Nameless");
    assertThat(result.out()).as(result.err()).isEqualTo(IN_PAGES + "used 8448\n");
  }

  private Path compiled(String name, String classPath) {
    return NettyPrograms.compile(folder.resolve(name), "PooledByteBufAllocator", "", classPath);
  }

  @Test
  void netty_inAModule() {
    Path module = folder.resolve("module");
    Path program =
        new Sources()
            .options("-p", NettyPrograms.NEW)
            .file(
                "app/User.java", NettyPrograms.USER.replace("ALLOCATOR", "PooledByteBufAllocator"))
            .file("module-info.java", "module app { requires io.netty.buffer; }")
            .compileInto(module);
    Result result =
        new AgentJvm()
            .flags("--illegal-native-access=deny")
            .agent("netty")
            .runWords("-p", program + File.pathSeparator + NettyPrograms.NEW, "-m", "app/app.User");
    assertThat(result.out()).as(result.err()).isEqualTo(IN_PAGES + "used 8448\n");
  }

  @Test
  void loadedBefore_fromTheNextBufferOn() throws Exception {
    String text =
        """
        package app;

        import io.netty.buffer.*;

        public class User {
          static final ByteBufAllocator POOLED = new PooledByteBufAllocator(true);
          static final ByteBufAllocator ADAPTIVE = new AdaptiveByteBufAllocator(true);

          public static void main(String[] arguments) throws Exception {
            ByteBuf before = say();
            while (System.in.read() >= 0) {
              ByteBuf now = say();
              now.release();
            }
            before.release();
          }

          static ByteBuf say() {
            ByteBuf buffer = POOLED.directBuffer(64);
            ByteBuf other = ADAPTIVE.directBuffer(64);
            System.out.println(
                buffer.getClass().getSimpleName().startsWith("Arenal")
                    + " " + other.getClass().getSimpleName().startsWith("Arenal"));
            other.release();
            return buffer;
          }
        }
        """;
    Path program =
        NettyPrograms.compileText(folder.resolve("c"), "app/User.java", text, NettyPrograms.NEW);
    Path err = folder.resolve("err");
    Path classPath = Path.of(program + File.pathSeparator + NettyPrograms.NEW);
    AgentJvm jvm =
        new AgentJvm()
            .flags("-XX:+EnableDynamicAgentLoading", "-Dio.netty.leakDetection.level=disabled");
    try (Running running = jvm.start(classPath, err, "app.User")) {
      assertThat(running.readLine()).isEqualTo("false false");
      VirtualMachine machine = VirtualMachine.attach(String.valueOf(running.pid()));
      machine.loadAgent(AgentJvm.AGENT.toString(), "netty,summary");
      machine.detach();
      running.process().getOutputStream().write('x');
      running.process().getOutputStream().flush();
      assertThat(running.readLine()).as(Files.readString(err)).isEqualTo("true true");
      running.process().getOutputStream().close();
      assertThat(running.exitCode()).isZero();
    }
    assertThat(Files.readString(err))
        .contains("netty: found: class=" + NettyPrograms.POOLED)
        .contains("netty: found: class=" + NettyPrograms.ADAPTIVE)
        .contains("netty: direct buffers are in pages: class=" + NettyPrograms.POOLED)
        .contains("netty: classesFound=2, usedBytes=0, ");
  }
}
