package dev.arenal.workload;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The program behind the embedded traces: generations of class loaders that load interleaved.
 *
 * <p>Loader i belongs to generation i mod n. When all classes are loaded, generation after
 * generation is released until one is left; then the whole set is loaded again. What a metaspace
 * gives back meanwhile depends on how well it keeps the memory of different loaders apart.
 */
public final class InterleavedLoaders {
  private static final int EXIT_OK = 0;
  private static final int EXIT_USAGE = 2;

  private final Options options;
  private final Listener listener;
  private final List<byte[]> classes;
  private final List<Generation> alive = new ArrayList<>();

  private InterleavedLoaders(Options options, Listener listener) {
    this.options = options;
    this.listener = listener;
    this.classes = GeneratedClasses.generate(options.classCount(), options.size());
  }

  /**
   * Runs the workload; exit code 2 for a command line it does not understand.
   *
   * @param args the options, see {@code --help}
   * @throws ClassNotFoundException never: the loaders know all generated classes
   */
  public static void main(String[] args) throws ClassNotFoundException {
    int exitCode = run(System.out, System.err, args);
    if (exitCode != EXIT_OK) {
      System.exit(exitCode);
    }
  }

  static int run(PrintStream out, PrintStream err, String... args) throws ClassNotFoundException {
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return EXIT_USAGE;
    }
    if (options.isHelp()) {
      out.println(Options.USAGE);
    } else {
      try (Listener listener =
          options.isForProgram() ? new EventStream(out) : new FiguresTable(out)) {
        new InterleavedLoaders(options, listener).run();
      }
    }
    return EXIT_OK;
  }

  private void run() throws ClassNotFoundException {
    show("start");
    for (int cycle = 1; cycle <= options.cycleCount(); cycle++) {
      alive.addAll(Generation.load(options, classes));
      show("cycle " + cycle + ": loaded");
      while (alive.size() > 1) {
        alive.remove(alive.size() - 1);
        show("cycle " + cycle + ": generations left: " + alive.size());
        if (cycle == 1 && alive.size() == 1) {
          listener.valley();
        }
      }
    }
    alive.clear();
    show("end: all released");
  }

  /** Shows the figures of a phase after a collection, which is what releases classes. */
  private void show(String phase) {
    // The first collection may leave what only a reference processed by it held.
    System.gc();
    System.gc();
    listener.phase(phase);
    if (options.pauseMillis() > 0) {
      // A sampler sees a step over time, and not a point.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(options.pauseMillis()));
    }
  }
}
