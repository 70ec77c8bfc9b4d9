package dev.arenal.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InterleavedLoadersTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @ParameterizedTest
  @CsvSource({"loader", "class", "0.34"})
  void phases_areShownInTheirOrder(String interleave) throws Exception {
    int exitCode =
        run(
            "--generations",
            "3",
            "--loaders",
            "4",
            "--classes",
            "5",
            "--size",
            "2",
            "--cycles",
            "2",
            "--interleave",
            interleave);
    assertThat(exitCode).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    List<String> phases =
        out.toString(StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.split(" {2}", -1)[0])
            .toList();
    assertThat(phases)
        .containsExactly(
            "phase",
            "start",
            "cycle 1: loaded",
            "cycle 1: generations left: 2",
            "cycle 1: generations left: 1",
            "cycle 2: loaded",
            "cycle 2: generations left: 3",
            "cycle 2: generations left: 2",
            "cycle 2: generations left: 1",
            "end: all released");
  }

  @Test
  void releasedGenerations_giveMetaspaceBack() throws Exception {
    assertThat(run("--loaders", "40", "--classes", "20", "--cycles", "1")).isZero();
    List<Long> usedBytes =
        out.toString(StandardCharsets.UTF_8)
            .lines()
            .skip(1)
            .map(line -> Long.valueOf(line.substring(34, 50).trim()))
            .toList();
    long start = usedBytes.getFirst();
    long loaded = usedBytes.get(1) - start;
    assertThat(loaded).isGreaterThan(20_000_000);
    // One of five generations is left.
    assertThat(usedBytes.get(5) - start).isBetween(loaded / 6, loaded / 4);
    assertThat(usedBytes.getLast() - start).isLessThan(loaded / 20);
  }

  @Test
  void events_areLinesForAProgram() throws Exception {
    int pauseMillis = 150;
    List<String> lines = eventLines(pauseMillis);
    while (samples(lines).size() <= 5 && pauseMillis < 10_000) { // this machine is busy
      pauseMillis *= 4;
      lines = eventLines(pauseMillis);
    }
    assertThat(lines).allMatch(line -> line.startsWith("@arenal "));
    assertThat(lines.getFirst()).isEqualTo("@arenal started " + ProcessHandle.current().pid());
    assertThat(lines.getLast()).isEqualTo("@arenal ended");
    assertThat(lines.stream().filter(line -> line.startsWith("@arenal phase ")))
        .hasSize(7)
        .allMatch(line -> line.matches("@arenal phase( \\d+){4} (\\d+|-) [a-z].*"));
    // Six rests of 150 ms or more, with a sample every 100 ms.
    assertThat(samples(lines)).hasSizeGreaterThan(5);
    int valley = indexOf(lines, "cycle 1: generations left: 1");
    int next = indexOf(lines, "cycle 2: loaded");
    List<String> reports =
        lines.subList(valley, next).stream().filter(l -> l.startsWith("@arenal report ")).toList();
    assertThat(reports).anyMatch(line -> line.startsWith("@arenal report text Total Usage - "));
    assertThat(reports).anyMatch(line -> line.startsWith("@arenal report exact Waste "));
    assertThat(reports).anyMatch(line -> line.startsWith("@arenal report basic Chunk freelists:"));
    assertThat(lines.stream().filter(line -> line.startsWith("@arenal report ")))
        .hasSameSizeAs(reports);
  }

  private List<String> eventLines(int pauseMillis) throws Exception {
    out.reset();
    String pause = Integer.toString(pauseMillis);
    String[] shape = {"--generations", "2", "--loaders", "4", "--classes", "5", "--cycles", "2"};
    List<String> options = new ArrayList<>(List.of("--events", "--pause", pause));
    options.addAll(List.of(shape));
    assertThat(run(options.toArray(String[]::new))).isZero();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static List<String> samples(List<String> lines) {
    return lines.stream().filter(line -> line.matches("@arenal sample \\d+ \\d+")).toList();
  }

  private static int indexOf(List<String> lines, String end) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith(end)) {
        return i;
      }
    }
    throw new AssertionError("no line ends with " + end);
  }

  @Test
  void wrongOptions_areNamed() throws Exception {
    assertRefused("unknown option: option=--generation (see --help)", "--generation", "3");
    assertRefused("option without its value: option=--size (see --help)", "--size");
    assertRefused(
        "option out of range: option=--loaders, value=0 (expected a whole number, 1..1000000)",
        "--loaders",
        "0");
    assertRefused(
        "option out of range: option=--size, value=many (expected a whole number, 1..1000)",
        "--size",
        "many");
    assertRefused(
        "option out of range: option=--interleave, value=1.5 (expected loader, class or a"
            + " fraction, 0 < f <= 1)",
        "--interleave",
        "1.5");
    assertRefused(
        "option out of range: option=--interleave, value=NaN (expected loader, class or a"
            + " fraction, 0 < f <= 1)",
        "--interleave",
        "NaN");
  }

  @Test
  void help_listsAllOptions() throws Exception {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("--generations", "--loaders", "--classes", "--size", "--interleave", "--cycles")
        .contains("--pause", "--events");
  }

  @Test
  void generatedClasses_haveTheirSize() throws Exception {
    byte[] bytes = GeneratedClasses.generate(1, 10).getFirst();
    Class<?> generated =
        new ClassLoader(null) {
          Class<?> define() {
            return defineClass(GeneratedClasses.nameOf(0), bytes, 0, bytes.length);
          }
        }.define();
    assertThat(generated.getDeclaredFields()).hasSize(30);
    assertThat(generated.getDeclaredMethods()).hasSize(40);
    Object object = generated.getConstructor().newInstance();
    assertThat(generated.getMethod("getNumber3").invoke(object)).isEqualTo(42);
    assertThat(generated.getMethod("getText9").invoke(object)).isEqualTo("text9");
    assertThat(generated.getMethod("getBytes0").invoke(object)).isEqualTo(new byte[10]);
    assertThat(generated.getMethod("sum5", int.class, int.class).invoke(null, 2, 3)).isEqualTo(5);
  }

  private void assertRefused(String message, String... args) throws Exception {
    out.reset();
    err.reset();
    assertThat(run(args)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(message + System.lineSeparator());
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private int run(String... args) throws Exception {
    try (PrintStream output = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      return InterleavedLoaders.run(output, errors, args);
    }
  }
}
