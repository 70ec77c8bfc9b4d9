package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help of each command, as it stands in a terminal of 80 columns. */
final class HelpTest {
  private static final int COLUMNS = 80;

  @Test
  void everyCommand_hasExamples_andNoListIsWrapped() {
    List<CommandLine> commands = new ArrayList<>(List.of(Main.commandLine()));
    commands.addAll(commands.getFirst().getSubcommands().values());
    assertThat(commands).hasSizeGreaterThan(15);
    for (CommandLine command : commands) {
      if (command.getCommand() instanceof CommandLine.HelpCommand) {
        continue; // picocli's own
      }
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      assertThat(usage.footer()).as(command.getCommandName()).isNotEmpty();
      List<String> lines = new ArrayList<>(List.of(usage.footer()));
      for (String line : usage.description()) {
        if (line.startsWith("  ")) { // one of a list, and not a paragraph
          lines.add(line);
        }
      }
      assertThat(lines)
          .as(command.getCommandName())
          .allSatisfy(line -> assertThat(line).hasSizeLessThan(COLUMNS));
    }
  }

  @Test
  void wrongArgument_isNamed_andTheHelpIsNotPrintedBehindIt() {
    assertThat(error("lba")).isEqualTo("unknown command: 'lba'\nTry: arenal --help\n");
    assertThat(error("lab", "--quik"))
        .isEqualTo(
            "Unknown option: '--quik'\nPossible solutions: --quick\nTry: arenal lab --help\n");
    assertThat(error("record"))
        .isEqualTo(
            """
            Missing required options and parameters: '--output=TRACE', 'COMMAND'
            Try: arenal record --help
            """);
  }

  @Test
  void wrongNumber_isRefusedInWordsOfTheReader() {
    assertThat(error("burst", "--runs", "x"))
        .isEqualTo(
            """
            Invalid value for option '--runs': 'x' is not a whole number up to 2147483647
            Try: arenal burst --help
            """);
    assertThat(error("burst", "--seed", "1.5"))
        .isEqualTo(
            """
            Invalid value for option '--seed': '1.5' is not a whole number up to 9223372036854775807
            Try: arenal burst --help
            """);
    assertThat(error("burst", "--idle", "long"))
        .isEqualTo(
            """
            Invalid value for option '--idle': 'long' is not a number such as 0.5
            Try: arenal burst --help
            """);
  }

  @Test
  void helpOfACommand_isTheSameByOptionAndByCommand() {
    assertThat(output("help", "burst"))
        .isEqualTo(output("burst", "--help"))
        .startsWith("Allocates a gigabyte of buffers");
    assertThat(output("help")).isEqualTo(output("--help"));
  }

  private static String output(String... words) {
    StringWriter out = new StringWriter();
    int status = Main.commandLine().setOut(new PrintWriter(out)).execute(words);
    assertThat(status).isEqualTo(CommandLine.ExitCode.OK);
    return out.toString();
  }

  private static String error(String... words) {
    StringWriter err = new StringWriter();
    int status = Main.commandLine().setErr(new PrintWriter(err)).execute(words);
    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    return err.toString();
  }

  @Test
  void commandWithoutArguments_showsAllOfThem() {
    StringWriter out = new StringWriter();
    int status =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute();
    assertThat(out.toString())
        .contains("  lab        Runs all experiments", "arenal try -- java -jar app.jar");
    assertThat(status).isEqualTo(CommandLine.ExitCode.OK);
  }
}
