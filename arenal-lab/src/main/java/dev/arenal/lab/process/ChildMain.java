package dev.arenal.lab.process;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/** The program of every {@link Child}. */
public final class ChildMain {
  private static final String OUR_CODE = "dev.arenal.lab.";

  private ChildMain() {}

  /**
   * Does a piece of work.
   *
   * @param args the class of the work, the file with it, the heap and its library where there are
   *     any, and the file for the result
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, ClassNotFoundException {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // as in the process that asks
    Work<?> work = Json.readWhole(Path.of(args[1]), Class.forName(args[0]).asSubclass(Work.class));
    Path result = Path.of(args[4]);
    try {
      if (!args[3].equals(Child.NONE)) {
        // Before anything is taken from it.
        MeasuredHeap.choose(Objects.requireNonNull(HeapKind.ofLabel(args[2])), Path.of(args[3]));
      }
      Object done = work.run();
      TemporaryFolder.write(result, path -> Json.write(path, done));
    } catch (IOException | IllegalStateException e) {
      explain(e);
      System.exit(1);
    }
  }

  /**
   * Says why there is no result, in lines that the parent shows: a reason that is meant for people
   * stands alone, a fault of an allocator or of the harness with the place where it happened.
   */
  private static void explain(Exception e) {
    // Of some the message is but a path.
    System.err.println(e instanceof FileSystemException ? e.toString() : e.getMessage());
    Throwable cause = e.getCause();
    if (!(e instanceof IllegalStateException)
        || cause == null
        || cause instanceof IllegalStateException) {
      return;
    }
    for (StackTraceElement element : cause.getStackTrace()) {
      System.err.println("at " + element);
      if (element.getClassName().startsWith(OUR_CODE)) {
        return;
      }
    }
  }
}
