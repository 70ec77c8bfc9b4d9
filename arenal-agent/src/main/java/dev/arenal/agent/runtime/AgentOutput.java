package dev.arenal.agent.runtime;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;

/**
 * The process's standard error, where the agent says its few words. Not {@link System#err}, which
 * is the program's to replace.
 */
public final class AgentOutput {
  private static final Charset CHARSET =
      Charset.forName(System.getProperty("stderr.encoding", "UTF-8"), Charset.defaultCharset());

  /** One for all lines, since the descriptor remembers each; never closed. */
  private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);

  private AgentOutput() {}

  /** Writes one line, in one piece. */
  public static void line(String text) {
    byte[] bytes = ("arenal-agent: " + text + System.lineSeparator()).getBytes(CHARSET);
    try {
      STANDARD_ERROR.write(bytes);
    } catch (IOException e) {
      // It is not read any more; the program goes on.
    }
  }
}
