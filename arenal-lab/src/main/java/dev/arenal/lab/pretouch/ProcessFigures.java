package dev.arenal.lab.pretouch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The kernel's figures of a live process.
 *
 * @param userSeconds of all its threads so far, to a hundredth
 * @param systemSeconds the same in the kernel
 * @param residentBytes the most that ever was resident, files included
 * @param hugeBytes now in transparent huge pages; -1 if it does not say
 */
record ProcessFigures(
    double userSeconds, double systemSeconds, long residentBytes, long hugeBytes) {
  /** The kernel's unit of these times, whatever its own clock. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int BYTES_PER_KB = 1024;

  // Behind the name in parentheses, which may contain anything.
  private static final int USER_FIELD = 11;
  private static final int SYSTEM_FIELD = 12;

  static ProcessFigures ofThisProcess() throws IOException {
    return of(Path.of("/proc/self"));
  }

  static ProcessFigures of(long pid) throws IOException {
    return of(Path.of("/proc/" + pid));
  }

  /** From the files in such a folder. */
  static ProcessFigures of(Path folder) throws IOException {
    String stat = Files.readString(folder.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (fields.length <= SYSTEM_FIELD) {
      throw new IOException("not what the kernel says of a process: file=" + folder + "/stat");
    }
    return new ProcessFigures(
        Long.parseLong(fields[USER_FIELD]) / TICKS_PER_SECOND,
        Long.parseLong(fields[SYSTEM_FIELD]) / TICKS_PER_SECOND,
        bytes(folder.resolve("status"), "VmHWM:"),
        hugeBytes(folder));
  }

  /** The costs of a run that began with those figures. */
  PretouchSample since(ProcessFigures before, double seconds, double firstUseSeconds) {
    return new PretouchSample(
        seconds,
        userSeconds - before.userSeconds,
        systemSeconds - before.systemSeconds,
        residentBytes,
        hugeBytes,
        firstUseSeconds,
        null);
  }

  private static long hugeBytes(Path folder) {
    try {
      // Memory that a JVM maps from a memory file has a line of its own.
      return bytes(folder.resolve("smaps_rollup"), "AnonHugePages:")
          + bytes(folder.resolve("smaps_rollup"), "ShmemPmdMapped:");
    } catch (IOException e) {
      // Kernels before 4.14, and containers that hide it.
      return -1;
    }
  }

  private static long bytes(Path file, String key) throws IOException {
    List<String> lines = Files.readAllLines(file);
    for (String line : lines) {
      if (line.startsWith(key)) {
        return Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB;
      }
    }
    throw new IOException("no such line: file=%s, line=%s".formatted(file, key));
  }
}
