package dev.arenal.os;

import java.nio.file.Path;

/** How much of this process is in physical memory. */
public final class ResidentSize {
  private ResidentSize() {}

  /** In bytes, now. */
  public static long bytes() {
    String[] pages = KernelFiles.lines(Path.of("/proc/self/statm")).getFirst().split(" ", -1);
    return Long.parseLong(pages[1]) * OperatingSystem.current().pageSizeBytes();
  }
}
