package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceOutcome;
import dev.arenal.lab.trace.TraceSpace;
import dev.arenal.lab.trace.TraceVisitor;
import dev.arenal.lab.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Traces made up rather than recorded: a visitor's caller that keeps the numbering for its user.
 */
final class SyntheticTrace {
  private final TraceVisitor visitor;
  private int nextArena;
  private int nextBlock;

  SyntheticTrace(TraceVisitor visitor) {
    this.visitor = visitor;
  }

  static ReplayProgram program(Consumer<SyntheticTrace> script) {
    ProgramBuilder builder = new ProgramBuilder();
    script.accept(new SyntheticTrace(builder));
    return builder.build("synthetic");
  }

  /** Writes a trace file as the recorder would. */
  static Path file(Path file, Consumer<SyntheticTrace> script) throws IOException {
    try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), "25.0.3+9-LTS")) {
      script.accept(new SyntheticTrace(writer));
      writer.finish(new TraceOutcome(0, 0, 65_536));
    }
    return file;
  }

  int birth(TraceSpace space, int loader) {
    visitor.birth(nextArena, space, loader);
    return nextArena++;
  }

  int allocate(int arena, int sizeWords) {
    visitor.allocate(arena, sizeWords, nextBlock);
    return nextBlock++;
  }

  void deallocate(int arena, int block) {
    visitor.deallocate(arena, block);
  }

  void death(int arena) {
    visitor.death(arena);
  }

  void committed(TraceSpace space, long committedBytes) {
    visitor.hotspotCommitted(space, committedBytes);
  }

  /**
   * A random program: loaders with one arena or two, blocks from a word to a megabyte, early
   * deallocations, deaths; some arenas get no block, some outlive the trace.
   */
  static Consumer<SyntheticTrace> random(long seed, int stepCount) {
    return trace -> new RandomProgram(trace, new Random(seed)).run(stepCount);
  }

  /**
   * Loaders of several generations that load classes one by one in turn, die generation by
   * generation but for the last, load again and all die.
   */
  static Consumer<SyntheticTrace> generations(int loaderCount, int classCount, int roundCount) {
    return trace -> new Generations(trace, loaderCount, classCount).run(roundCount);
  }

  private static final class Generations {
    private static final int GENERATION_COUNT = 5;
    private static final int BLOCKS_PER_CLASS = 70;

    private final SyntheticTrace trace;
    private final Random random = new Random(7);
    private final int loaderCount;
    private final int classCount;
    private final List<int[]> alive = new ArrayList<>();
    private int nextLoader;

    Generations(SyntheticTrace trace, int loaderCount, int classCount) {
      this.trace = trace;
      this.loaderCount = loaderCount;
      this.classCount = classCount;
    }

    void run(int roundCount) {
      for (int round = 0; round < roundCount; round++) {
        load();
        int keep = round == roundCount - 1 ? 0 : loaderCount / GENERATION_COUNT;
        while (alive.size() > keep) {
          int[] arenas = alive.removeFirst();
          trace.death(arenas[0]);
          trace.death(arenas[1]);
        }
      }
    }

    private void load() {
      List<int[]> fresh = new ArrayList<>();
      for (int i = 0; i < loaderCount; i++) {
        int loader = nextLoader++;
        int nonClass = trace.birth(TraceSpace.NON_CLASS, loader);
        fresh.add(new int[] {nonClass, trace.birth(TraceSpace.CLASS, loader)});
      }
      for (int type = 0; type < classCount; type++) {
        for (int[] arenas : fresh) {
          for (int block = 0; block < BLOCKS_PER_CLASS; block++) {
            int sizeWords =
                random.nextInt(20) == 0 ? 20 + random.nextInt(110) : 2 + random.nextInt(14);
            trace.allocate(arenas[0], sizeWords);
          }
          trace.allocate(arenas[1], 70 + random.nextInt(40));
        }
      }
      // Generations are spread over the loaders: the dead lie between the living.
      for (int generation = 0; generation < GENERATION_COUNT; generation++) {
        for (int i = generation; i < fresh.size(); i += GENERATION_COUNT) {
          alive.add(fresh.get(i));
        }
      }
    }
  }

  private static final class RandomProgram {
    private final SyntheticTrace trace;
    private final Random random;
    private final List<Integer> arenas = new ArrayList<>();
    private final List<List<Integer>> blocks = new ArrayList<>();
    private int loaderCount;

    RandomProgram(SyntheticTrace trace, Random random) {
      this.trace = trace;
      this.random = random;
    }

    void run(int stepCount) {
      for (int step = 0; step < stepCount; step++) {
        int dice = random.nextInt(100);
        if (arenas.isEmpty() || dice < 4) {
          addLoader();
        } else if (dice < 7) {
          int index = random.nextInt(arenas.size());
          trace.death(take(arenas, index));
          take(blocks, index);
        } else {
          allocateOrDeallocate(random.nextInt(arenas.size()), dice);
        }
      }
    }

    private void addLoader() {
      int loader = loaderCount++;
      int dice = random.nextInt(4);
      if (dice != 0) {
        add(trace.birth(TraceSpace.NON_CLASS, loader));
      }
      if (dice != 1) {
        add(trace.birth(TraceSpace.CLASS, loader));
      }
    }

    private void add(int arena) {
      arenas.add(arena);
      blocks.add(new ArrayList<>());
    }

    private void allocateOrDeallocate(int index, int dice) {
      List<Integer> own = blocks.get(index);
      if (dice < 15 && !own.isEmpty()) {
        int block = take(own, random.nextInt(own.size()));
        trace.deallocate(arenas.get(index), block);
      } else {
        own.add(trace.allocate(arenas.get(index), sizeWords()));
      }
    }

    /** Takes an element out; the last one fills its place. */
    private static <T> T take(List<T> list, int index) {
      T taken = list.get(index);
      list.set(index, list.getLast());
      list.removeLast();
      return taken;
    }

    private int sizeWords() {
      int dice = random.nextInt(1000);
      if (dice == 0) {
        return 1 + random.nextInt(131_072);
      }
      return dice < 30 ? 1 + random.nextInt(2048) : 1 + random.nextInt(40);
    }
  }
}
