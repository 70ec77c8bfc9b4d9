package dev.arenal.lab.replay;

import java.io.IOException;
import java.nio.file.Path;

/** The program a child process runs: one program, one allocator, one replay, one result file. */
public final class ReplayChild {
  static final String VERIFY = "verify";
  static final String MEASURE = "measure";

  private ReplayChild() {}

  /** Takes the program file, the allocator's name, what to do, and the file for the result. */
  public static void main(String[] args) throws InterruptedException {
    AllocatorKind kind = AllocatorKind.ofLabel(args[1]);
    boolean isVerifying = args[2].equals(VERIFY);
    try {
      ReplayProgram program = ProgramFile.read(Path.of(args[0]));
      new Measurement(program, kind, isVerifying).measure().write(Path.of(args[3]));
    } catch (IOException e) {
      // The parent shows these lines: the reason stands alone, without a stack trace.
      System.err.println(e);
      System.exit(1);
    }
  }
}
