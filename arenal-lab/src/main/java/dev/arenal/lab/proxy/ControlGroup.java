package dev.arenal.lab.proxy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A control group whose memory is limited, of version 1 or 2, where this process may make one. It
 * is removed when it is closed, or when this JVM ends.
 */
final class ControlGroup implements AutoCloseable {
  private static final int MOST_ATTEMPTS = 100;
  private static final long BETWEEN_ATTEMPTS_MILLIS = 20;

  private final Path folder;
  private final Thread hook = new Thread(this::remove);

  /** The hook before the folder: there is no moment at which it would stay. */
  private ControlGroup(Path folder) throws IOException {
    this.folder = folder;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      throw new IOException("this JVM is ending", e);
    }
    try {
      Files.createDirectory(folder);
    } catch (IOException e) {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
      throw e;
    }
  }

  /**
   * A new one, below that of this process or beside it.
   *
   * @param name of its folder
   */
  static Optional<ControlGroup> create(String name, long limitBytes) {
    for (Path parent : parents()) {
      ControlGroup group;
      try {
        group = new ControlGroup(parent.resolve(name + "-" + ProcessHandle.current().pid()));
      } catch (IOException e) {
        continue; // not ours to write, or no such thing here
      }
      if (group.limit(limitBytes)) {
        return Optional.of(group);
      }
      group.close();
    }
    return Optional.empty();
  }

  private static List<Path> parents() {
    List<Path> parents = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        String[] fields = line.split(":", 3);
        String mount = fields[1].isEmpty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
        if (fields[1].isEmpty() || List.of(fields[1].split(",", -1)).contains("memory")) {
          parents.add(Path.of(mount + fields[2]));
          parents.add(Path.of(mount));
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    return parents.stream().filter(path -> Files.exists(path.resolve("cgroup.procs"))).toList();
  }

  /** Version 2 has the file only where the group above hands the controller down. */
  private boolean limit(long limitBytes) {
    String two = "memory.max";
    boolean isTwo = Files.exists(folder.resolve(two));
    if (!isWritten(isTwo ? two : "memory.limit_in_bytes", limitBytes)) {
      return false;
    }
    // Swapped memory is not alive either; without swap neither file can be written.
    var _ = isWritten("memory.swap.max", 0) || isWritten("memory.memsw.limit_in_bytes", limitBytes);
    return true;
  }

  private boolean isWritten(String file, long value) {
    try {
      Files.writeString(folder.resolve(file), Long.toString(value));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  Path folder() {
    return folder;
  }

  /** The kernel needs a moment after the last process of it has ended. */
  private void remove() {
    File file = folder.toFile();
    for (int i = 0; i < MOST_ATTEMPTS && file.exists() && !file.delete(); i++) {
      try {
        Thread.sleep(BETWEEN_ATTEMPTS_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending: the hook does its work.
      return;
    }
  }
}
