import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** What a shell does with its terminal at each prompt: raw mode, its size, back again. */
public final class JLineProgram {
  private JLineProgram() {}

  /** Takes the number of prompts. */
  public static void main(String[] arguments) throws Exception {
    int countPrompts = Integer.parseInt(arguments[0]);
    try (Terminal terminal = TerminalBuilder.builder().provider("ffm").system(true).build()) {
      for (int i = 0; i < countPrompts; i++) {
        Attributes before = terminal.enterRawMode();
        if (terminal.getSize() == null) {
          throw new IllegalStateException("terminal has no size: prompt=" + i);
        }
        terminal.setAttributes(before);
      }
    }
  }
}
