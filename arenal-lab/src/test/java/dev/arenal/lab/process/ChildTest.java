package dev.arenal.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.process.AskedWork.Answer;
import dev.arenal.lab.process.AskedWork.Behaviour;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Work that goes to a process of its own, and what comes back. */
final class ChildTest {
  /** More digits than are shown of a result. */
  private static final double FIGURE = 1.23456789012345;

  @Test
  void result_isThatOfTheWorkToTheLastDigit() throws Exception {
    Answer answer = run(Behaviour.ANSWERS);
    assertThat(answer.figure()).isEqualTo(FIGURE);
    assertThat(answer.pid()).isNotEqualTo(ProcessHandle.current().pid());
  }

  @Test
  void reasonMeantForPeople_standsAlone() {
    assertThatThrownBy(() -> run(Behaviour.IS_REFUSED))
        .isInstanceOf(ChildFailedException.class)
        .hasMessage("asking died: a=b, exitCode=1; its last lines:\n    refused: figure=" + FIGURE);
    assertThatThrownBy(() -> run(Behaviour.HAS_NO_FILE))
        .hasMessageEndingWith("\n    java.nio.file.NoSuchFileException: a-path");
  }

  @Test
  void fault_isShownWithItsPlace() {
    assertThatThrownBy(() -> run(Behaviour.IS_WRONG))
        .isInstanceOf(ChildFailedException.class)
        .hasMessageStartingWith(
            "asking died: a=b, exitCode=1; its last lines:\n    a fault\n    at ")
        .hasMessageContaining("AskedWork.run(AskedWork.java:");
  }

  @Test
  void interruptedParent_endsTheChild() throws Exception {
    List<Long> seconds = new ArrayList<>();
    Thread parent = Thread.currentThread();
    assertThatThrownBy(() ->
            child()
                .run(
                    new AskedWork(Behaviour.SLEEPS, 0),
                    Answer.class,
                    second -> {
                      seconds.add(second);
                      parent.interrupt();
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(seconds).containsExactly(1L);
    assertThat(ProcessHandle.current().descendants().filter(ChildTest::isChild)).isEmpty();
  }

  @Test
  void child_leavesNoFiles() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Set<Path> before = folders(temporary);
    var _ = run(Behaviour.ANSWERS);
    Set<Path> added = folders(temporary);
    added.removeAll(before);
    // Other tests run beside this one: theirs go, too.
    for (int i = 0; i < 600 && added.stream().anyMatch(Files::exists); i++) {
      Thread.sleep(100);
    }
    assertThat(added).noneMatch(Files::exists);
  }

  private static Set<Path> folders(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> ("" + file.getFileName()).startsWith("arenal-lab"))
          .collect(Collectors.toCollection(HashSet::new));
    }
  }

  private static boolean isChild(ProcessHandle process) {
    return process.isAlive()
        && process.info().commandLine().orElse("").contains(ChildMain.class.getName());
  }

  private static Answer run(Behaviour behaviour) throws Exception {
    return child().run(new AskedWork(behaviour, FIGURE), Answer.class, _ -> {});
  }

  private static Child child() {
    return new Child("asking", "a=b").flags(List.of("-Xmx64m"));
  }
}
