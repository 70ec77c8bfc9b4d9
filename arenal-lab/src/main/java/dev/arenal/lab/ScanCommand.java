package dev.arenal.lab;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.scan.ArtifactScan;
import dev.arenal.lab.scan.ArtifactScanner;
import dev.arenal.lab.scan.Problem;
import dev.arenal.lab.scan.ScanText;
import dev.arenal.lab.scan.Target;
import dev.arenal.lab.scan.Targets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code arenal scan}: the call sites of {@code Arena.ofConfined()} in compiled code. */
@Command(
    name = "scan",
    header = "Lists the call sites of Arena.ofConfined() and how each arena is used.",
    description = {
      "",
      "Each site has a shape: try-with-resources, kotlin-use, closed-in-method, never-closed,"
          + " stored-in-field, returned, passed-on or method-reference; docs/scan.md defines"
          + " them. The agent rewrites sites of the first two shapes by default.",
      "",
      "Jars in jars, wars and jmods are opened; each version in a multi-release jar has its own"
          + " sites. Artifacts by coordinates are resolved by the local Maven, with its"
          + " settings.",
      ""
    },
    footer = {
      "  arenal scan app.jar",
      "  arenal scan target/classes lib/ --json sites.json",
      "  arenal scan org.jline:jline-terminal-ffm:4.5.0 --totals",
      "  arenal scan org.lwjgl:lwjgl:jar:natives-linux:3.4.3 --dependencies",
    },
    exitCodeList = {
      "  0:everything was read",
      "  1:something could not be read: see the messages; the rest is shown",
      "  2:the command line is wrong"
    })
final class ScanCommand extends ArenalCommand {

  @Parameters(
      paramLabel = "ARTIFACT",
      arity = "1..*",
      description =
          "A jar, a folder, a class file, or" + " GROUP:ARTIFACT[:PACKAGING[:CLASSIFIER]]:VERSION.")
  private List<String> names = new ArrayList<>();

  @Option(names = "--totals", description = "Prints totals only, without the sites.")
  private boolean isTotals;

  @Option(
      names = "--dependencies",
      description = "Also scans run-time dependencies of artifacts by coordinates.")
  private boolean isWithDependencies;

  @Option(names = "--markdown", description = "Prints only the totals, as a table in Markdown.")
  private boolean isMarkdown;

  @Mixin private JsonOutput output = new JsonOutput();

  private final List<ArtifactScan> scans = new ArrayList<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    output.check();
    List<Problem> problems = new ArrayList<>();
    try (Progress progress = Progress.onStandardError();
        Targets targets = new Targets(searchPath(), isWithDependencies)) {
      for (String name : names) {
        if (Targets.isFetched(name)) {
          progress.at("scan", name + ", asking Maven", 0);
        }
        for (Target target : targets.of(name)) {
          scan(target, progress);
        }
      }
      problems.addAll(targets.problems());
    }
    scans.forEach(scan -> problems.addAll(scan.problems()));
    show();
    problems.forEach(problem -> say(spec().qualifiedName() + ": " + problem.text()));
    output.writeJson(Map.of("artifacts", scans));
    return problems.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static String searchPath() {
    String path = System.getenv("PATH");
    return path == null ? "" : path;
  }

  private void scan(Target target, Progress progress) {
    progress.at("scan", target.name(), 0);
    ArtifactScan scan =
        ArtifactScanner.scan(
            target,
            classCount ->
                progress.at(
                    "scan", Figures.format("%s, %,d classes", target.name(), classCount), 0));
    progress.clear();
    scans.add(scan);
    if (!isTotals && !isMarkdown) {
      ScanText.sites(scan).forEach(output.text()::println);
      output.text().println();
      output.text().flush();
    }
  }

  private void show() {
    if (scans.isEmpty()) {
      return;
    }
    if (isMarkdown) {
      output.text().print(ScanText.markdown(scans));
    } else {
      if (isTotals || scans.size() > 1) {
        ScanText.totals(scans).forEach(output.text()::println);
        output.text().println();
      }
      output.text().println(ScanText.verdict(scans));
    }
    output.text().flush();
  }
}
