package dev.arenal.lab.replay;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.heap.TemporaryFiles;
import dev.arenal.lab.heap.WrongHeapException;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Path;

/** The program a child process runs: one program, one allocator, one replay, one result file. */
public final class ReplayChild {
  static final String VERIFY = "verify";
  static final String MEASURE = "measure";

  private ReplayChild() {}

  /**
   * Takes the program file, the allocator's name, what to do, the allocator's library if it has
   * one, and the file for the result.
   */
  public static void main(String[] args) throws InterruptedException {
    AllocatorKind kind = AllocatorKind.ofLabel(args[1]);
    boolean isVerifying = args[2].equals(VERIFY);
    Path result = Path.of(args[args.length - 1]);
    try {
      HeapKind heap = kind.heap();
      if (heap != null && heap.isLibrary()) {
        MeasuredHeap.choose(heap, Path.of(args[3]));
      }
      ReplayProgram program = ProgramFile.read(Path.of(args[0]));
      ChildResult measured = new Measurement(program, kind, isVerifying).measure();
      TemporaryFiles.write(result, () -> Json.write(result, measured));
    } catch (WrongHeapException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    } catch (IOException e) {
      // The parent shows these lines: the reason stands alone, without a stack trace.
      System.err.println(e);
      System.exit(1);
    }
  }
}
