package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.ReportDetail;
import dev.arenal.machine.ChildJvm;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.page.PageAllocator;
import dev.arenal.pretouch.Pretouch;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No class of the library is initialized by a thread whose stack or heap may be at its end. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FirstUseTest {
  /** Classes that dev.arenal.os and the pool make in a thread of their own, of those that link. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "os.KernelCalls",
          "os.LinuxOperatingSystem",
          "os.NativeMemory$Whole",
          "confined.Quarantine");

  @Test
  void everyClassWithAStaticInitializer_isListed() throws IOException {
    Set<String> listed = new TreeSet<>(ELSEWHERE);
    for (int part = 1; part <= 32; part <<= 1) {
      listed.addAll(List.of(FirstUse.namesOf(part)));
    }
    Set<String> found = new TreeSet<>();
    for (Path file : classFiles()) {
      ClassModel model = ClassFile.of().parse(file);
      if (model.methods().stream().anyMatch(m -> m.methodName().equalsString("<clinit>"))) {
        found.add(model.thisClass().asInternalName().substring(11).replace('/', '.'));
      }
    }
    assertThat(listed).isEqualTo(found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spaces", "allocators", "pool", "memory", "budget"})
  void firstUse_atTheEndOfTheStack_isTriedAgain(String way) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Class<?> type : List.of(FirstUse.class, FirstUseTest.class)) {
      urls.add(type.getProtectionDomain().getCodeSource().getLocation());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Runnable use =
          (Runnable)
              loader.loadClass(Use.class.getName()).getConstructor(String.class).newInstance(way);
      Diver diver = new Diver(use);
      Thread thread = new Thread(null, diver, "diver", 512 << 10);
      thread.start();
      thread.join();
      use.run();
      assertThat(diver.other).isNull();
      assertThat(diver.isDone).isTrue();
    }
  }

  /** A flight recorder gives classes of events an initializer that no class file has. */
  @ParameterizedTest
  @CsvSource({
    "spaces, NONE",
    "allocators, NONE",
    "pool, NONE",
    "memory, NONE",
    "spaces, EARLY",
    "allocators, EARLY",
    "memory, EARLY",
    "spaces, LATE",
    "allocators, LATE",
    "memory, LATE"
  })
  void caller_runsNoStaticInitializer(String way, Recorder recorder, @TempDir Path folder)
      throws Exception {
    Path log = folder.resolve("log");
    String logging = "-Xlog:class+init=info:file=" + log + ":none";
    ChildJvm child =
        ChildJvm.run(
            List.of(logging, "--enable-native-access=ALL-UNNAMED"),
            Program.class,
            way,
            recorder.name());
    assertThat(child.exitCode()).as(child.err()).isZero();
    List<String> lines = Files.readAllLines(log);
    assertThat(lines.stream().filter(line -> line.contains("MemoryEvents$")).findAny().isPresent())
        .isEqualTo(recorder != Recorder.NONE);
    assertThat(lines)
        .anyMatch(line -> line.endsWith("by thread \"arenal-link\""))
        .filteredOn(line -> line.contains("Initializing 'dev/arenal/"))
        .filteredOn(line -> !line.contains("(no method)"))
        .filteredOn(line -> line.endsWith("by thread \"main\""))
        .isEmpty();
  }

  /** When the first recording of the process begins. */
  enum Recorder {
    NONE,
    EARLY,
    LATE
  }

  /** In a JVM of its own: a little of all that there is. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws InterruptedException {
      if (args[1].equals("EARLY")) {
        startRecording();
      }
      use(args[0]);
      if (args[1].equals("LATE")) {
        startRecording();
        for (int i = 0; i < 20; i++) { // events are ready after some of it
          use(args[0]);
          Thread.sleep(20);
        }
      }
    }

    /** A thread that does so registers the periodic events of the rows, too. */
    private static void startRecording() throws InterruptedException {
      Thread thread = Thread.ofPlatform().name("recording").start(() -> new Recording().start());
      thread.join();
    }

    private static void use(String way) {
      switch (way) {
        case "spaces" -> useSpace();
        case "allocators" -> useAllocator();
        case "memory" -> useMemory();
        default -> new Use(way).run();
      }
    }

    private static void useSpace() {
      try (ElasticSpace space = ElasticSpace.builder("s").fixedSizeBytes(64 << 20).build();
          ElasticArena shared = space.openShared();
          ElasticArena confined = space.openConfined()) {
        MemorySegment block = shared.allocate(100, 8);
        var _ = space.reference(block);
        shared.deallocate(block);
        var _ = confined.allocate(64, 1 << 16);
        confined.reset();
        var _ = space.pretouch(Pretouch.upTo(4 << 20));
        var _ = space.trim();
        var _ = space.report(ReportDetail.values());
        var _ = space.statistics();
      }
    }

    private static void useAllocator() {
      try (PageAllocator pages = PageAllocator.builder("p").capacityBytes(64 << 20).build()) {
        pages.allocate(100).close();
        pages.allocate(4 << 20).close();
        var _ = pages.pretouch(Pretouch.upTo(8 << 20));
        var _ = pages.trim();
        var _ = pages.statistics();
        try (Arena arena = pages.openSharedArena()) {
          var _ = arena.allocate(16);
        }
      }
    }

    private static void useMemory() {
      Budget budget = Budget.limitedTo("b", 1 << 20);
      try (ReservedMemory memory = ReservedMemory.reserve("m", 1 << 20, budget)) {
        var _ = memory.commit(0, memory.sizeBytes());
        var _ = memory.residentBytes();
        var _ = memory.uncommit(0, memory.sizeBytes());
        var _ = memory.pretouch(Pretouch.all());
      }
    }
  }

  /** Uses the library as deep in its stack as it can. */
  private static final class Diver implements Runnable {
    private final Runnable use;
    private boolean isDone;
    private @Nullable Throwable other;

    Diver(Runnable use) {
      this.use = use;
    }

    @Override
    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    public void run() {
      try {
        run();
      } catch (StackOverflowError e) {
        Thread.onSpinWait();
      }
      if (!isDone && other == null) {
        try {
          use.run();
          isDone = true;
        } catch (StackOverflowError e) {
          Thread.onSpinWait();
        } catch (Throwable e) {
          other = e;
        }
      }
    }
  }

  /** In a loader of its own. */
  public static final class Use implements Runnable {
    private final String way;

    /** By reflection. */
    public Use(String way) {
      this.way = way;
    }

    @Override
    public void run() {
      switch (way) {
        case "spaces" -> ElasticSpace.builder("s").build().close();
        case "allocators" -> PageAllocator.builder("pages").capacityBytes(64 << 20).build().close();
        case "pool" -> {
          try (Arena arena = PooledArena.ofConfined()) {
            var _ = arena.allocate(16);
          }
        }
        case "memory" -> ReservedMemory.reserve("r", 1 << 20, Budget.unlimited("b")).close();
        default -> {
          var _ = Budget.unlimited("b");
        }
      }
    }
  }

  private static List<Path> classFiles() throws IOException {
    URL code = FirstUse.class.getProtectionDomain().getCodeSource().getLocation();
    try (Stream<Path> files = Files.walk(Path.of(code.toURI()))) {
      return files.filter(file -> file.toString().endsWith(".class")).toList();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
