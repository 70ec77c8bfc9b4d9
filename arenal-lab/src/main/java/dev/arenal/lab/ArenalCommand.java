package dev.arenal.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with the form of help that all have, and its own words beside its results. */
@Command(
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    exitCodeListHeading = "%nExit codes:%n")
abstract class ArenalCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  final CommandSpec spec() {
    return spec;
  }

  /** For words that are no result. */
  final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Says something that is no result. */
  final void say(String line) {
    err().println(line);
    err().flush();
  }

  /** Something that is made of options. */
  @FunctionalInterface
  interface Planning<P> {
    P plan() throws IOException;
  }

  /** The plan that options ask for; one that cannot be meant is a mistake of the command line. */
  final <P> P planned(Planning<P> planning) throws IOException {
    try {
      return planning.plan();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
