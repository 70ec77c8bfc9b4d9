package dev.arenal.lab;

import dev.arenal.lab.jvm.JvmLab;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmSelection;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.jvm.StockJvm;
import dev.arenal.lab.jvm.WorkloadShape;
import dev.arenal.lab.report.JvmSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Real JVMs under the interleaved loaders: in the lab those of this machine. */
final class JvmExperiment implements Experiment {
  /** So that the lab ends soon on a machine with many JDKs: the stock one and the newest. */
  private static final int MOST_JVMS = 3;

  private static final int MOST_JVMS_QUICK = 2;

  @Override
  public String name() {
    return "jvm";
  }

  @Override
  public String question() {
    return "what the metaspace of the JVMs here keeps when their classes are gone";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    progress.at(name(), "looking for JVMs", 0);
    List<JvmSpec> found = JvmSelection.found();
    progress.clear();
    List<JvmSpec> specs =
        fewest(withCachedStock(found, text::println), isQuick ? MOST_JVMS_QUICK : MOST_JVMS);
    WorkloadShape shape = isQuick ? WorkloadShape.QUICK : WorkloadShape.DEFAULT;
    return run(specs, shape, progress, text);
  }

  private static List<JvmSpec> fewest(List<JvmSpec> specs, int mostJvms) {
    List<JvmSpec> stock = specs.stream().filter(JvmSpec::isStock).limit(1).toList();
    List<JvmSpec> others = specs.stream().filter(spec -> !stock.contains(spec)).toList();
    int countOthers = Math.min(others.size(), mostJvms - stock.size());
    return Stream.concat(
            stock.stream(), others.subList(others.size() - countOthers, others.size()).stream())
        .toList();
  }

  /** Adds the stock JVM if it has been fetched before; otherwise says how to get it. */
  static List<JvmSpec> withCachedStock(List<JvmSpec> specs, Consumer<String> say)
      throws IOException {
    if (specs.stream().anyMatch(JvmSpec::isStock)) {
      return specs;
    }
    Optional<Path> stock = StockJvm.ofThisUser().cached();
    if (stock.isPresent()) {
      return JvmSelection.withStock(stock.get(), specs);
    }
    say.accept("no JVM from before JEP 387 to compare with: arenal jvm --stock fetches one, once");
    return specs;
  }

  /** Runs the JVMs one after another, with a line for each that has ended, and prints tables. */
  static Section run(List<JvmSpec> specs, WorkloadShape shape, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    JvmLab.Watcher watcher =
        new JvmLab.Watcher() {
          @Override
          public void at(String jvm, String step, long seconds) {
            progress.at(jvm, step, seconds);
          }

          @Override
          public void done(JvmMeasurement measurement) {
            progress.clear();
            JvmSection.remarks(measurement).forEach(text::println);
            text.flush();
          }
        };
    List<JvmMeasurement> measurements =
        new JvmLab(shape, WorkloadProgram.words(), watcher).run(specs);
    Section section = JvmSection.of(shape, measurements);
    section.lines().forEach(text::println);
    text.flush();
    return section;
  }
}
