package dev.arenal.workload;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;

/**
 * A program that does nothing but start: it prints how much physical memory is free and how large
 * the heap is, and ends when its standard input does, so that it can be looked at meanwhile.
 */
public final class HeapAtStart {
  private HeapAtStart() {}

  /**
   * Prints the two lines and waits.
   *
   * @param args none
   * @throws IOException if standard input cannot be read
   */
  public static void main(String[] args) throws IOException {
    run(System.out, System.in);
  }

  static void run(PrintStream out, InputStream in) throws IOException {
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    // The name that all Javas know; since 14 it has another one, too.
    out.println("Free physical memory: " + machine.getFreePhysicalMemorySize());
    out.println("Heap size: " + Runtime.getRuntime().totalMemory());
    out.flush();
    while (in.read() >= 0) {
      // The output is ignored; only its end counts.
    }
  }
}
