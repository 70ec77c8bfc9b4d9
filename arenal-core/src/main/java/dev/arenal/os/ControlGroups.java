package dev.arenal.os;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The control groups of this process, versions 1 and 2, with the limits of their memory.
 *
 * <p>Where they are mounted is read from {@code /proc/self/mountinfo}. In a container the group of
 * the process may lie above the mount: then the mounted one is looked at. The groups of the machine
 * may be mounted as well, for an agent that watches it: that mount is the last choice.
 */
final class ControlGroups {
  /** More than any machine has: version 1 writes "no limit" as a large number. */
  private static final long LEAST_UNLIMITED_BYTES = 1L << 60;

  private final KernelFiles files;

  private static final List<String> LISTS_OF_FILES = List.of("inactive_file ", "active_file ");

  private record Mount(Path folder, String group) {}

  /**
   * The names of one version.
   *
   * @param prefix of the lines in memory.stat that count the groups below as well
   */
  private record Version(String usageFile, String prefix, String limitFile, String slowFile) {}

  private static final Version ONE =
      new Version("memory.usage_in_bytes", "total_", "memory.limit_in_bytes", "none");

  /** Beyond "high" a group is slowed down until it gets nowhere: a limit for our purpose. */
  private static final Version TWO = new Version("memory.current", "", "memory.max", "memory.high");

  ControlGroups(KernelFiles files) {
    this.files = files;
  }

  /** Those with a limit, from that of this process up to the root of the mount. */
  List<MemoryFigures.Group> limited() {
    List<MemoryFigures.Group> groups = new ArrayList<>();
    for (String line : files.lines("proc/self/cgroup")) {
      String[] fields = line.split(":", 3);
      if (fields.length < 3 || !fields[2].startsWith("/")) {
        continue;
      }
      boolean isTwo = fields[1].isEmpty();
      if (isTwo || List.of(fields[1].split(",", -1)).contains("memory")) {
        Version version = isTwo ? TWO : ONE;
        try {
          mount(isTwo).ifPresent(mount -> walkUp(mount, fields[2], version, groups));
        } catch (InvalidPathException e) {
          // A name that this JVM's locale cannot write: the limits of that group stay unknown.
        }
      }
    }
    return groups;
  }

  /** Fields are: id, parent, device, root, mount point, options, ..., -, type, source, options. */
  private Optional<Mount> mount(boolean isTwo) {
    Optional<Mount> found = Optional.empty();
    for (String line : files.lines("proc/self/mountinfo")) {
      int separator = line.indexOf(" - ");
      String[] mount = line.split(" ", 6);
      boolean isWhole = separator >= 0 && mount.length == 6;
      if (!isWhole || !mount[3].startsWith("/") || !mount[4].startsWith("/")) {
        continue;
      }
      String[] type = line.substring(separator + 3).split(" ", 3);
      boolean fits =
          isTwo
              ? type[0].equals("cgroup2")
              : type[0].equals("cgroup")
                  && type.length == 3
                  && List.of(type[2].split(",", -1)).contains("memory");
      if (fits) {
        String folder = unescaped(mount[4].substring(1));
        found = Optional.of(new Mount(files.root().resolve(folder), unescaped(mount[3])));
        // Above the namespace of the process: where its group lies there is not known.
        boolean isAbove = mount[3].equals("/..") || mount[3].startsWith("/../");
        if (!isAbove) {
          return found;
        }
      }
    }
    return found;
  }

  /** In that file blanks and backslashes, which are in names of systemd, are octal digits. */
  private static String unescaped(String name) {
    return name.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\"); // last: it would make others of what follows
  }

  private static void walkUp(
      Mount mount, String group, Version version, List<MemoryFigures.Group> into) {
    Path top = mount.folder;
    Path folder = Path.of(mount.group).relativize(Path.of(group).normalize());
    folder = top.resolve(folder).normalize();
    if (!folder.startsWith(top)) {
      folder = top; // the process is above the mount
    }
    while (folder != null && folder.startsWith(top)) {
      long limitBytes =
          Math.min(number(folder, version.limitFile), number(folder, version.slowFile));
      long usageBytes = number(folder, version.usageFile);
      if (limitBytes < LEAST_UNLIMITED_BYTES && usageBytes != MemoryFigures.UNKNOWN) {
        long reclaimableBytes = reclaimableBytes(folder.resolve("memory.stat"), version);
        into.add(
            new MemoryFigures.Group(
                "/" + top.relativize(folder), limitBytes, usageBytes, reclaimableBytes));
      }
      folder = folder.getParent();
    }
  }

  private static long number(Path folder, String file) {
    return KernelFiles.firstNumber(KernelFiles.lines(folder.resolve(file)));
  }

  /** Cached files, active ones too: the kernel drops these before it refuses memory. */
  private static long reclaimableBytes(Path stat, Version version) {
    long sumBytes = 0;
    for (String line : KernelFiles.lines(stat)) {
      for (String list : LISTS_OF_FILES) {
        if (line.startsWith(version.prefix + list)) {
          String number = line.substring(version.prefix.length() + list.length()).strip();
          long bytes = KernelFiles.number(number);
          sumBytes += bytes == MemoryFigures.UNKNOWN ? 0 : bytes;
        }
      }
    }
    return sumBytes;
  }
}
