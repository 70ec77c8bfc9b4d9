package dev.arenal.lab.firstuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.firstuse.FirstUsePlan.Variant;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.process.OurProgram;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real JVMs. */
final class FirstUseProcessesTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void eachSubject_takesATime() throws Exception {
    try (FirstUseProcesses processes = FirstUseProcesses.open(OurProgram.classPath())) {
      for (FirstUseSubject subject : FirstUseSubject.values()) {
        FirstUseSample sample = processes.run(new Variant(subject, false));
        assertThat(sample.millis()).as(subject.label()).isPositive();
        assertThat(sample.processMillis()).isGreaterThan(sample.millis());
      }
    }
  }

  /** The recipe of docs/first-use.md. */
  @Test
  void programsOfJars_runWithAnAotCache() throws Exception {
    Path jars = Files.createDirectory(folder.resolve("jars"));
    List<String> path = new ArrayList<>(List.of(jars.toString()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (Files.isDirectory(Path.of(entry))) {
        pack(
            Path.of(entry), jars.resolve(path.size() + "-" + jars.toFile().list().length + ".jar"));
      } else {
        path.add(entry);
      }
    }
    try (FirstUseProcesses processes =
        FirstUseProcesses.open(OurProgram.classPath(String.join(File.pathSeparator, path)))) {
      assertThat(processes.makeAotCache()).isNull();
      for (FirstUseSubject subject : FirstUseSubject.values()) {
        assertThat(processes.run(new Variant(subject, true)).millis()).isPositive();
      }
    }
  }

  @Test
  void classesInAFolder_haveNoAotCache() throws Exception {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    try (FirstUseProcesses processes = FirstUseProcesses.open(List.of(classes))) {
      assertThat(processes.makeAotCache())
          .isEqualTo("it takes jars, and here are classes in a folder: path=" + classes);
    }
  }

  @Test
  void jvmThatDies_isToldWithItsLastLines() throws Exception {
    Path jar = folder.resolve("none.jar");
    try (FirstUseProcesses processes = FirstUseProcesses.open(List.of(jar))) {
      assertThatThrownBy(() -> processes.run(new Variant(FirstUseSubject.PAGE, false)))
          .isInstanceOf(ChildFailedException.class)
          .hasMessageStartingWith("first use died: subject=page, exitCode=1; its last lines:\n")
          .hasMessageContaining("ClassNotFoundException: " + FirstUseChild.class.getName());
      assertThat(processes.makeAotCache())
          .startsWith("the JVM has not made it: exitCode=1; its last lines:\n");
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, entries);
      }
    }
  }
}
