package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.MeasuredHeap;
import java.io.IOException;
import java.nio.file.Path;

/** What both kinds of children do before they measure. */
final class QuietProcess {
  private static final long SETTLE_MILLIS = 50;
  private static final int COUNT_ROUNDS = 3;

  private QuietProcess() {}

  /**
   * Makes sure that the heap of this kind is the one that answers.
   *
   * @param words of the command line; the one before the last is the library if there is one
   */
  static void chooseHeap(PeerKind kind, String[] words) throws IOException {
    HeapKind heap = kind.heap();
    if (heap == null) {
      return;
    }
    if (heap.isLibrary()) {
      MeasuredHeap.choose(heap, Path.of(words[words.length - 2]));
    }
    MeasuredHeap.heap().prove();
  }

  /**
   * Leaves nothing behind that would come or go by itself: what the warm-up left is given back, by
   * the collector (Netty's chunks) and by the heap.
   */
  static void settle() throws InterruptedException {
    for (int i = 0; i < COUNT_ROUNDS; i++) {
      System.gc();
      Thread.sleep(SETTLE_MILLIS);
    }
    // The C library's where no other one is measured: the JVM and Netty take memory from it too.
    MeasuredHeap.heap().settle();
  }

  /**
   * Says why there is no result, in lines that the parent shows: a reason that is meant for people
   * stands alone, a fault of an allocator or of the harness with the place where it happened.
   */
  static void explain(Exception e) {
    System.err.println(e.getMessage());
    Throwable cause = e.getCause();
    if (!(e instanceof IllegalStateException)
        || cause == null
        || cause instanceof IllegalStateException) {
      return;
    }
    for (StackTraceElement element : cause.getStackTrace()) {
      System.err.println("at " + element);
      if (element.getClassName().startsWith(QuietProcess.class.getPackageName())) {
        return;
      }
    }
  }
}
