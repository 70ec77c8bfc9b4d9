import com.github.ajalt.mordant.input.MouseTracking;
import com.github.ajalt.mordant.terminal.terminalinterface.ffm.TerminalInterfaceFfmLinux;

/** What a command with progress bars and prompts asks of its terminal. */
public final class MordantProgram {
  private MordantProgram() {}

  /** Takes the number of turns. */
  public static void main(String[] arguments) throws Exception {
    TerminalInterfaceFfmLinux terminal = new TerminalInterfaceFfmLinux();
    for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
      var _ = terminal.getTerminalSize();
      if (!terminal.stdinInteractive() || !terminal.stdoutInteractive()) {
        throw new IllegalStateException("not a terminal: turnsLeft=" + i);
      }
      try (AutoCloseable rawMode = terminal.enterRawMode(MouseTracking.Off)) {
        var _ = terminal.getTerminalSize();
      }
    }
  }
}
