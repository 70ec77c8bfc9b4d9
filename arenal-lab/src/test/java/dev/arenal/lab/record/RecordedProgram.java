package dev.arenal.lab.record;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The program that the tests record: loads classes, releases some, and does as it is told. */
final class RecordedProgram {
  private static final int LOADER_COUNT = 60;

  private RecordedProgram() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "figures" -> printFigures();
      case "exit" -> System.exit(Integer.parseInt(args[1]));
      case "halt" -> Runtime.getRuntime().halt(Integer.parseInt(args[1]));
      case "echo" -> System.in.transferTo(System.out);
      case "sleep" -> {
        System.out.println(ProcessHandle.current().pid());
        Thread.sleep(60_000);
      }
      default -> System.err.println(String.join("|", args));
    }
  }

  /** Loads, releases, loads more, and says what the JVM itself thinks is committed then. */
  private static void printFigures() throws Exception {
    load();
    System.gc();
    System.gc();
    List<Class<?>> kept = load();
    System.out.println(
        committedBytes("Metaspace") + " " + committedBytes("Compressed Class Space"));
    System.out.println(kept.size());
    // The rest of the program (shutdown) hardly allocates.
    Runtime.getRuntime().halt(0);
  }

  private static List<Class<?>> load() throws IOException, ClassNotFoundException {
    byte[] bytes;
    try (InputStream in = RecordedProgram.class.getResourceAsStream("RecordedProgram.class")) {
      bytes = Objects.requireNonNull(in).readAllBytes();
    }
    List<Class<?>> classes = new ArrayList<>();
    for (int i = 0; i < LOADER_COUNT; i++) {
      classes.add(Class.forName(RecordedProgram.class.getName(), false, new Loader(bytes)));
    }
    return classes;
  }

  private static long committedBytes(String poolName) {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals(poolName))
        .map(MemoryPoolMXBean::getUsage)
        .mapToLong(usage -> usage.getCommitted())
        .sum();
  }

  private static final class Loader extends ClassLoader {
    private final byte[] bytes;

    Loader(byte[] bytes) {
      super(null);
      this.bytes = bytes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.equals(RecordedProgram.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
