package dev.arenal.lab.heap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * How much more memory this machine, or the container around this process, has to give.
 *
 * <p>The smallest of what {@code /proc/meminfo} says and what each control group from this process
 * up to the root leaves, version 1 or 2. What cannot be read sets no limit.
 */
public final class AvailableMemory {
  private static final long BYTES_PER_KB = 1024;

  private final Path root;

  AvailableMemory(Path root) {
    this.root = root;
  }

  /** What may still be taken, now. */
  public static long availableBytes() {
    return new AvailableMemory(Path.of("/")).find();
  }

  long find() {
    return Math.min(ofMachine(), ofControlGroups());
  }

  private long ofMachine() {
    for (String line : lines(root.resolve("proc/meminfo"))) {
      if (line.startsWith("MemAvailable:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB;
      }
    }
    return Long.MAX_VALUE;
  }

  private long ofControlGroups() {
    long least = Long.MAX_VALUE;
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && fields[1].isEmpty()) {
        least = Math.min(least, walkUp("sys/fs/cgroup", fields[2], "memory.max", "memory.current"));
      } else if (fields.length == 3 && List.of(fields[1].split(",")).contains("memory")) {
        least =
            Math.min(
                least,
                walkUp(
                    "sys/fs/cgroup/memory",
                    fields[2],
                    "memory.limit_in_bytes",
                    "memory.usage_in_bytes"));
      }
    }
    return least;
  }

  private long walkUp(String mount, String group, String limitFile, String usageFile) {
    Path top = root.resolve(mount);
    Path folder = top.resolve(group.substring(1)).normalize();
    long least = Long.MAX_VALUE;
    while (folder != null && folder.startsWith(top)) {
      OptionalLong limit = number(folder.resolve(limitFile));
      OptionalLong usage = number(folder.resolve(usageFile));
      if (limit.isPresent() && usage.isPresent()) {
        long reclaimable = inactiveFileBytes(folder.resolve("memory.stat"));
        long leftBytes = limit.getAsLong() - usage.getAsLong() + reclaimable;
        least = Math.min(least, Math.max(0, leftBytes));
      }
      folder = folder.getParent();
    }
    return least;
  }

  /** Cached files that the kernel drops before it refuses memory. */
  private static long inactiveFileBytes(Path stat) {
    for (String line : lines(stat)) {
      if (line.startsWith("inactive_file ")) {
        return Long.parseLong(line.substring("inactive_file ".length()).strip());
      }
    }
    return 0;
  }

  private static OptionalLong number(Path file) {
    for (String line : lines(file)) {
      String text = line.strip();
      return text.matches("\\d{1,18}")
          ? OptionalLong.of(Long.parseLong(text))
          : OptionalLong.empty();
    }
    return OptionalLong.empty();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
