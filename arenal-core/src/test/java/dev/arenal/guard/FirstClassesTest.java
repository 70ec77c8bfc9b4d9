package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import dev.arenal.machine.ChildJvm;
import dev.arenal.memory.CommitMode;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import java.io.IOException;
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

/** The classes that a first use loads, in a new JVM. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FirstClassesTest {
  private static final Pattern LINE = Pattern.compile("\\[(\\d+)] (\\S+) source: .*");

  @TempDir private Path folder;

  @Test
  void callerOfAllocator_loadsNoClassAfterTheLink() throws Exception {
    List<String> ofCaller = new ArrayList<>();
    List<String> ofOthers = new ArrayList<>();
    String caller = "";
    for (String line : logOf()) {
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
    int count = 0;
    for (String name : FirstUse.namesBesideTheLink()) {
      assertDoesNotThrow(() -> Class.forName("dev.arenal." + name));
      count++;
    }
    assertThat(count).isGreaterThan(50);
  }

  private List<String> logOf() throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    String logging = "-Xlog:class+load=info:file=" + log + ":tid";
    ChildJvm child =
        ChildJvm.run(List.of(logging, "--enable-native-access=ALL-UNNAMED"), Program.class);
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
}
