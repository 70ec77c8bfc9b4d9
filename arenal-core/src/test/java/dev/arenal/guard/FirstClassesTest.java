package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.machine.ChildJvm;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageAllocatorBuilder;
import dev.arenal.page.PageBuffer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that a first use loads, in a new JVM. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FirstClassesTest {
  /** HotSpot pads the number of a thread where longer ones came before. */
  private static final Pattern LINE = Pattern.compile("\\[(\\d+) *] (\\S+) source: .*");

  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  @Test
  void callerOfAllocator_loadsNoClassAfterTheLink() throws Exception {
    List<String> ofCaller = new ArrayList<>();
    List<String> ofOthers = new ArrayList<>();
    String caller = "";
    for (String line : logOf(Program.class)) {
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches() || !matcher.group(2).startsWith("dev.arenal.")) {
        continue;
      }
      if (matcher.group(2).equals("dev.arenal.guard.FirstUse$Initializer")) {
        caller = matcher.group(1);
      } else if (matcher.group(1).equals(caller)) {
        ofCaller.add(matcher.group(2));
      } else if (!caller.isEmpty()) {
        ofOthers.add(matcher.group(2));
      }
    }
    assertThat(ofCaller).isEmpty();
    assertThat(ofOthers).hasSizeGreaterThan(50).noneMatch(name -> name.contains("$$Lambda"));
  }

  @Test
  void eachName_isOfAClass() {
    List<String> names = new ArrayList<>(List.of(FirstUse.namesBesideTheLink()));
    names.addAll(List.of(FirstUse.namesLaterInSpaces()));
    names.addAll(List.of(FirstUse.namesLaterInAllocators()));
    for (String name : names) {
      assertDoesNotThrow(() -> Class.forName("dev.arenal." + name));
    }
    assertThat(names).hasSizeGreaterThan(100);
  }

  /**
   * A class that is loaded where books are half changed, at the end of a stack, would be damage: of
   * all that a space or an allocator does, but reports, pretouches and its own end.
   */
  @ParameterizedTest
  @ValueSource(classes = {SpaceProgram.class, AllocatorProgram.class})
  void programInTheMiddle_loadsNoClass(Class<?> program) throws Exception {
    List<String> loaded = new ArrayList<>();
    boolean isInTheMiddle = false;
    boolean wasInTheMiddle = false;
    for (String line : logOf(program)) {
      Matcher matcher = LINE.matcher(line);
      String name = matcher.matches() ? matcher.group(2) : "";
      isInTheMiddle |= name.equals(Begin.class.getName());
      if (name.equals(End.class.getName())) {
        wasInTheMiddle = isInTheMiddle;
        isInTheMiddle = false;
      }
      if (isInTheMiddle && name.startsWith("dev.arenal.") && !name.contains("FirstClassesTest")) {
        loaded.add(name);
      }
    }
    assertThat(wasInTheMiddle).isTrue();
    assertThat(loaded).isEmpty();
  }

  private List<String> logOf(Class<?> program) throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    String logging = "-Xlog:class+load=info:file=" + log + ":tid";
    ChildJvm child = ChildJvm.run(List.of(logging, "--enable-native-access=ALL-UNNAMED"), program);
    assertThat(child.exitCode()).as(child.err()).isZero();
    return Files.readAllLines(log);
  }

  /** In a JVM of its own. The commit mode is given: another one may need other classes. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      PageAllocator pages =
          PageAllocator.builder("first")
              .capacityBytes(64 << 20)
              .commitMode(CommitMode.DISCARD)
              .build();
      var _ = Objects.requireNonNull(pages.allocate(100, PageAge.SHORT_LIVED).segment());
    }
  }

  /** Loaded where a program has built what it needs. */
  static final class Begin {
    private Begin() {}

    static void load() {}
  }

  /** Loaded before it reports, and ends. */
  static final class End {
    private End() {}

    static void load() {}
  }

  /** Two spaces of one budget, of which the second one takes what the first one has free. */
  static final class SpaceProgram {
    private SpaceProgram() {}

    public static void main(String[] args) {
      Budget budget = Budget.limitedTo("both", 64 << 20);
      ElasticSpace one = ElasticSpace.builder("one").budget(budget).build();
      ElasticSpace other = ElasticSpace.builder("other").budget(budget).build();
      ElasticSpace inProtect =
          ElasticSpace.builder("protect").budget(budget).commitMode(CommitMode.PROTECT).build();
      Begin.load();
      for (int round = 0; round < 3; round++) {
        use(one, other);
        use(inProtect, other);
      }
      End.load();
    }

    private static void use(ElasticSpace one, ElasticSpace other) {
      ElasticArena shared = one.openShared();
      ElasticArena confined = one.openConfined();
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        blocks.add(shared.allocate(1 + i * 37 % 20_000, 8));
        var _ = confined.allocate(1 + i * 31 % 3000, 64);
      }
      for (int i = 0; i < blocks.size(); i += 2) {
        shared.deallocate(blocks.get(i));
      }
      var _ = shared.allocate(9 << 20);
      confined.reset();
      shared.close();
      var _ = one.trim();
      try (ElasticArena arena = other.openConfined()) {
        var _ = arena.allocate(50 << 20);
      }
      confined.close();
    }
  }

  /** The same with allocators. */
  static final class AllocatorProgram {
    private AllocatorProgram() {}

    public static void main(String[] args) {
      Budget budget = Budget.limitedTo("both", 64 << 20);
      PageAllocator one = builder("one").budget(budget).build();
      PageAllocator other = builder("other").budget(budget).build();
      Budget common = Budget.limitedTo("common", 64 << 20);
      PageAllocator lending = builder("lending").budget(common).shareFree(true).build();
      PageAllocator borrowing = builder("borrowing").budget(common).shareFree(true).build();
      PageAllocator inProtect = builder("p").commitMode(CommitMode.PROTECT).budget(budget).build();
      Begin.load();
      for (int round = 0; round < 3; round++) {
        use(one, other, budget);
        use(lending, borrowing, common);
        use(inProtect, other, budget);
      }
      End.load();
    }

    private static void use(PageAllocator one, PageAllocator other, Budget budget) {
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        buffers.add(one.allocate(1 + i * 3001 % 100_000, PageAge.LONG_LIVED));
        buffers.add(one.allocate(1 + i * 37 % 9000));
      }
      buffers.add(one.allocate(MIB));
      buffers.add(one.allocate(MIB));
      buffers.add(one.allocate(6 * MIB));
      buffers.getLast().segment().fill((byte) 1);
      for (int i = 0; i < buffers.size(); i += 2) {
        buffers.get(i).close();
      }
      var _ = one.trim();
      budget.setLimitBytes(0); // a hole is refused
      Objects.requireNonNullElseGet(one.tryAllocate(20_000), () -> one.allocate(0)).close();
      budget.setLimitBytes(64 * MIB);
      for (int i = 0; i < buffers.size(); i += 2) {
        buffers.set(i, one.allocate(1 + i * 3001 % 100_000));
      }
      buffers.forEach(PageBuffer::close);
      other.allocate(60 * MIB).close();
      var _ = Objects.requireNonNullElse(one.tryAllocate(100 * MIB), "refused");
      try (Arena arena = one.openConfinedArena();
          Arena shared = one.openSharedArena()) {
        var _ = arena.allocate(100_000);
        var _ = shared.allocate(100);
      }
    }

    private static PageAllocatorBuilder builder(String name) {
      return PageAllocator.builder(name).capacityBytes(256 * MIB);
    }
  }
}
