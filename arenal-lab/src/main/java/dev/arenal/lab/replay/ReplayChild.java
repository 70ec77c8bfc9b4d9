package dev.arenal.lab.replay;

import dev.arenal.lab.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;

/** The program that a child process runs: one trace, one allocator, one replay, one result file. */
public final class ReplayChild {
  static final String VERIFY = "verify";
  static final String MEASURE = "measure";

  private ReplayChild() {}

  /** Takes the trace, the allocator's name, what to do, and the file for the result. */
  public static void main(String[] args) throws InterruptedException {
    AllocatorKind kind = AllocatorKind.ofLabel(args[1]);
    boolean isVerifying = args[2].equals(VERIFY);
    try {
      ReplayProgram program = load(args[0]);
      new Measurement(program, kind, isVerifying).measure().write(Path.of(args[3]));
    } catch (IOException e) {
      // The parent shows these lines: the reason stands alone, without a stack trace.
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static ReplayProgram load(String trace) throws IOException {
    ProgramBuilder builder = new ProgramBuilder();
    return builder.build(Traces.read(trace, builder).name());
  }
}
