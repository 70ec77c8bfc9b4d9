package dev.arenal.arrow.own;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A program that runs test classes of Arrow and prints what has become of them. */
final class ArrowTestsProgram {
  private ArrowTestsProgram() {}

  /**
   * Prints the manager that Arrow has taken, the number of tests that have run, and those that have
   * failed.
   *
   * @param args a file for the output, then names of test classes
   */
  public static void main(String[] args) throws IOException {
    Outcome outcome = new Outcome();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                List.of(args).subList(1, args.length).stream()
                    .map(DiscoverySelectors::selectClass)
                    .toList())
            .build();
    LauncherFactory.create().execute(request, outcome);
    outcome.write(Path.of(args[0]));
    System.exit(0); // some of the tests leave threads behind
  }

  /** Counts, and remembers what failed. */
  private static final class Outcome implements TestExecutionListener {
    private final AtomicInteger countRun = new AtomicInteger();
    private final Set<String> failed = new TreeSet<>();

    @Override
    public synchronized void executionFinished(
        TestIdentifier identifier, TestExecutionResult result) {
      if (identifier.isTest()) {
        countRun.incrementAndGet();
      }
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        failed.add(name(identifier));
        result.getThrowable().ifPresent(Throwable::printStackTrace);
      }
    }

    private static String name(TestIdentifier identifier) {
      return identifier
          .getSource()
          .filter(MethodSource.class::isInstance)
          .map(MethodSource.class::cast)
          .map(source -> simple(source.getClassName()) + "." + source.getMethodName())
          .orElse(identifier.getDisplayName());
    }

    private static String simple(String className) {
      return className.substring(className.lastIndexOf('.') + 1);
    }

    private void write(Path file) {
      try {
        Files.write(
            file, List.of(Managers.current(), countRun.toString(), String.join("\n", failed)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
