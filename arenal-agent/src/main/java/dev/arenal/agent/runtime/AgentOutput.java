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

  private AgentOutput() {}

  /** Writes one line, in one piece. */
  public static void line(String text) {
    byte[] bytes = ("arenal-agent: " + text + System.lineSeparator()).getBytes(CHARSET);
    // Not closed: that would close the process's standard error.
    @SuppressWarnings("resource")
    FileOutputStream out = new FileOutputStream(FileDescriptor.err);
    try {
      out.write(bytes);
    } catch (IOException e) {
      // Nobody reads it; the program goes on.
    }
  }
}
