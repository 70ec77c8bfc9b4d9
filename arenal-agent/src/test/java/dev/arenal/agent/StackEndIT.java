package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that do something for the first time at the end of a stack, and survive that: it must
 * not fail later, where there is stack.
 */
final class StackEndIT {
  /** Tries again with each frame less, until it goes well. */
  private static final String STACK_END =
      """
      package app;

      public class StackEnd {
        static boolean isDone;

        static void run(Runnable first) throws Exception {
          Thread thread = new Thread(null, () -> {
            try {
              descend(first);
            } catch (StackOverflowError e) {
              System.out.println("end");
            } catch (Throwable e) {
              System.out.println("end " + e);
            }
          }, "deep", 1 << 20);
          thread.start();
          thread.join();
        }

        static void descend(Runnable first) {
          try {
            descend(first);
          } catch (StackOverflowError e) {
            if (!isDone) {
              first.run();
              isDone = true;
            }
            throw e;
          }
        }
      }
      """;

  private static final String BRIDGED =
      """
      package app;

      import java.lang.foreign.Arena;

      public class Bridged implements Runnable {
        static String kind = "none";

        public void run() {
          try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            kind = arena.getClass().getSimpleName();
          }
        }

        public String toString() { return kind; }
      }
      """;

  private static final String MAIN =
      """
      package app;

      import java.lang.foreign.Arena;
      import java.net.*;
      import java.nio.file.Path;

      public class Main {
        public static void main(String[] arguments) throws Exception {
          try (Arena arena = Arena.ofConfined()) { // the pool is there
            arena.allocate(8);
          }
          URL[] classes = {Path.of(arguments[0]).toUri().toURL()};
          ClassLoader loader = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader());
          Runnable first =
              (Runnable) loader.loadClass("app.Bridged").getDeclaredConstructor().newInstance();
          System.out.println(first);
          StackEnd.run(first);
          first.run();
          System.out.println(first);
        }
      }
      """;

  /** Defines a class with a site at each of many depths, by a loader of its own. */
  private static final String DEFINING =
      """
      package app;

      import java.lang.classfile.ClassFile;
      import java.nio.file.*;

      public class Defining extends ClassLoader {
        static final Defining[] LOADERS = new Defining[200];
        static byte[] bridged;
        static int next;

        Class<?> define(byte[] classFile) {
          return defineClass(null, classFile, 0, classFile.length);
        }

        public static void main(String[] arguments) throws Exception {
          byte[] plain = Files.readAllBytes(Path.of(arguments[0], "app", "Plain.class"));
          bridged = Files.readAllBytes(Path.of(arguments[0], "app", "Bridged.class"));
          for (int i = 0; i < LOADERS.length; i++) {
            LOADERS[i] = new Defining();
            LOADERS[i].define(plain); // such loaders can define
          }
          StackEnd.run(Defining::defineNext);
          Class<?> last = LOADERS[next].define(bridged);
          Runnable site = (Runnable) last.getDeclaredConstructor().newInstance();
          site.run();
          System.out.println(next + " " + site);
          ClassFile.of().parse(plain).methods().getFirst().code().get().forEach(_ -> {});
          System.out.println("readable");
        }

        static void defineNext() {
          LOADERS[next].define(bridged);
          next++;
          if (next < LOADERS.length - 1) {
            throw new StackOverflowError();
          }
        }
      }
      """;

  /** The same of Netty's allocator, whose other classes are not needed for that. */
  private static final String DEFINING_ALLOCATOR =
      """
      package app;

      import io.netty.buffer.PooledByteBufAllocator;
      import java.io.InputStream;
      import java.lang.classfile.*;

      public class DefiningAllocator extends ClassLoader {
        static final DefiningAllocator[] LOADERS = new DefiningAllocator[400];
        static byte[] allocator;
        static int next;

        Class<?> define(byte[] classFile, String name) {
          return defineClass(name, classFile, 0, classFile.length);
        }

        static byte[] read(String name) throws Exception {
          try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return in.readAllBytes();
          }
        }

        public static void main(String[] arguments) throws Exception {
          byte[] plain = read("app/StackEnd");
          allocator = read("io/netty/buffer/PooledByteBufAllocator");
          for (int i = 0; i < LOADERS.length; i++) {
            LOADERS[i] = new DefiningAllocator();
            LOADERS[i].define(plain, "app.StackEnd"); // such loaders can define
          }
          StackEnd.run(DefiningAllocator::defineNext);
          ClassFile file = ClassFile.of();
          var _ = file.transformClass(
              file.parse(plain),
              ClassTransform.transformingMethodBodies((builder, element) -> builder.with(element)));
          System.out.println("transformable");
          var buffer = new PooledByteBufAllocator(true).directBuffer(100);
          System.out.println(buffer.getClass().getSimpleName());
        }

        static void defineNext() {
          LOADERS[next].define(allocator, "io.netty.buffer.PooledByteBufAllocator");
          next++;
          if (next < LOADERS.length) {
            throw new StackOverflowError();
          }
        }
      }
      """;

  private static final String FIRST_BUFFER =
      """
      package app;

      import io.netty.buffer.*;

      public class First {
        public static void main(String[] arguments) throws Exception {
          PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
          allocator.heapBuffer(10).release();
          Unpooled.directBuffer(10).setInt(0, 1).release(); // Netty's own classes are there
          StackEnd.run(() -> allocator.directBuffer(100).setByte(0, 1));
          ByteBuf later = allocator.directBuffer(100).setByte(0, 1).setShort(0, 1).setInt(0, 1);
          System.out.println(later.getClass().getSimpleName());
        }
      }
      """;

  /** All kinds of access are tried later, since they have classes of the JDK in common. */
  private static final String FIRST_ACCESS =
      """
      package app;

      import io.netty.buffer.*;
      import java.nio.ByteBuffer;

      public class Access {
        static int done;

        public static void main(String[] arguments) throws Exception {
          ByteBuf buffer = new PooledByteBufAllocator(true).directBuffer(100);
          int first = Integer.parseInt(arguments[0]);
          StackEnd.run(() -> use(first, buffer));
          for (int kind = 0; kind < 8; kind++) {
            use(kind, buffer);
            done++;
          }
          System.out.println(done);
        }

        static void use(int kind, ByteBuf buffer) {
          switch (kind) {
            case 0 -> buffer.setByte(0, 1);
            case 1 -> buffer.setShort(0, 1);
            case 2 -> buffer.setZero(0, 8);
            case 3 -> buffer.getBytes(0, ByteBuffer.allocate(8));
            case 4 -> buffer.setBytes(0, new byte[8]);
            case 5 -> buffer.setLongLE(0, 1);
            case 6 -> buffer.nioBuffer(0, 8).get(0);
            default -> buffer.getInt(0);
          }
        }
      }
      """;

  /** Netty in a loader that knows the threads which ask it for classes. */
  private static final String ASKED =
      """
      package app;

      import java.io.File;
      import java.net.*;
      import java.nio.file.Path;
      import java.util.*;
      import java.util.concurrent.ConcurrentSkipListSet;

      public class Asked extends URLClassLoader {
        static final Set<String> THREADS = new ConcurrentSkipListSet<>();

        Asked(URL[] places) { super(places, ClassLoader.getPlatformClassLoader()); }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
          THREADS.add(Thread.currentThread().getName());
          return super.loadClass(name);
        }

        public static void main(String[] arguments) throws Exception {
          List<URL> places = new ArrayList<>();
          for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
            places.add(Path.of(place).toUri().toURL());
          }
          ClassLoader loader = new Asked(places.toArray(new URL[0]));
          loader.loadClass("app.Direct").getMethod("run").invoke(null);
          System.out.println(THREADS);
        }
      }
      """;

  private static final String DIRECT =
      """
      package app;

      public class Direct {
        public static void run() {
          new io.netty.buffer.PooledByteBufAllocator(true).directBuffer(100);
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void firstCallOfABridgedSite_mayBeRepeated() {
    Path main =
        new Sources()
            .file("app/StackEnd.java", STACK_END)
            .file("app/Main.java", MAIN)
            .compileInto(folder.resolve("main"));
    Path bridged =
        new Sources().file("app/Bridged.java", BRIDGED).compileInto(folder.resolve("bridged"));
    Result result = new AgentJvm().agent("").run(main, "app.Main", bridged.toString());
    assertThat(result.out()).as(result.err()).isEqualTo("none\nend\nSlabArena\n");
  }

  /** Classes that are loaded there may be left alone, but no other one. */
  @Test
  void firstClassWithASite_mayBeLoadedThere() {
    Path main =
        new Sources()
            .file("app/StackEnd.java", STACK_END)
            .file("app/Defining.java", DEFINING)
            .compileInto(folder.resolve("main"));
    Path bridged =
        new Sources()
            .file("app/Plain.java", "package app; public class Plain {}")
            .file("app/Bridged.java", BRIDGED)
            .compileInto(folder.resolve("bridged"));
    Result result = new AgentJvm().agent("").run(main, "app.Defining", bridged.toString());
    assertThat(result.out()).as(result.err()).isEqualTo("end\n199 SlabArena\nreadable\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-Xmixed"})
  void firstAllocator_mayBeLoadedThere(String compilers) {
    Sources sources = new Sources().file("app/DefiningAllocator.java", DEFINING_ALLOCATOR);
    Result result = runWithNetty(new AgentJvm().flags(compilers), sources, "DefiningAllocator");
    assertThat(result.out())
        .as(result.err())
        .isEqualTo("end\ntransformable\nArenalLinkedByteBuf\n");
  }

  @Test
  void firstDirectBuffer_mayBeRepeated() {
    Result result = runWithNetty(new Sources().file("app/First.java", FIRST_BUFFER), "First");
    assertThat(result.out()).as(result.err()).isEqualTo("end\nArenalLinkedByteBuf\n");
  }

  /** Whatever the caller has left: a class of the copies that fails there fails for ever. */
  @Test
  void buffers_areLinkedByAThreadOfItsOwn() {
    Sources sources = new Sources().file("app/Direct.java", DIRECT);
    Result result = runWithNetty(sources.file("app/Asked.java", ASKED), "Asked");
    assertThat(result.out()).as(result.err()).isEqualTo("[arenal-agent-link, main]\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "2", "3"})
  void firstAccess_mayBeRepeated(String kind) {
    Result result =
        runWithNetty(new Sources().file("app/Access.java", FIRST_ACCESS), "Access", kind);
    assertThat(result.out()).as(result.err()).isEqualTo("end\n8\n");
  }

  private Result runWithNetty(Sources sources, String name, String... arguments) {
    return runWithNetty(new AgentJvm(), sources, name, arguments);
  }

  private Result runWithNetty(AgentJvm jvm, Sources sources, String name, String... arguments) {
    Path program =
        sources
            .options("-cp", NettyPrograms.NEW)
            .file("app/StackEnd.java", STACK_END)
            .compileInto(folder);
    String[] words = new String[3 + arguments.length];
    words[0] = "-cp";
    words[1] = program + File.pathSeparator + NettyPrograms.NEW;
    words[2] = "app." + name;
    System.arraycopy(arguments, 0, words, 3, arguments.length);
    return jvm.agent("sites=none,netty").runWords(words);
  }
}
