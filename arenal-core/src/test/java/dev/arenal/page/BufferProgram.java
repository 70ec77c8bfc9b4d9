package dev.arenal.page;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Steps of several threads with buffers of one allocator.
 *
 * @param refuseFrom the first call that the kernel refuses, counted from 1; 0: it refuses none
 * @param isConcurrent whether the threads go on at the same time, else they take turns
 * @param isReal whether memory is the kernel's own: the simulated one has a monitor, which may keep
 *     threads apart that would meet
 */
record BufferProgram(
    BufferConfig config,
    int refuseFrom,
    int refusedCount,
    boolean isConcurrent,
    boolean isReal,
    List<BufferOp> ops) {
  /** Each checked buffer has an arena of the JDK, whose close stops all threads for a moment. */
  private static final int SLOWER_CHECKED = 10;

  /** Over the simulated kernel. */
  BufferProgram(
      BufferConfig config,
      int refuseFrom,
      int refusedCount,
      boolean isConcurrent,
      List<BufferOp> ops) {
    this(config, refuseFrom, refusedCount, isConcurrent, false, ops);
  }

  static BufferProgram draw(
      long seed, int operationCount, boolean isRefused, boolean isConcurrent) {
    SplittableRandom random = new SplittableRandom(seed);
    BufferConfig config = BufferConfig.draw(random);
    return new BufferProgram(
        config,
        isRefused ? 1 + random.nextInt(60) : 0,
        isRefused ? 1 + random.nextInt(20) : 0,
        isConcurrent,
        BufferOp.draw(random, operationCount));
  }

  /** Threads that go on at the same time, over the real kernel, mostly with small buffers. */
  static BufferProgram drawReal(long seed, int operationCount, boolean isMany) {
    SplittableRandom random = new SplittableRandom(seed);
    BufferConfig config = BufferConfig.draw(random);
    List<BufferOp> ops =
        isMany
            ? BufferOp.drawMany(random, operationCount / (config.isChecked() ? SLOWER_CHECKED : 1))
            : BufferOp.draw(random, operationCount);
    return new BufferProgram(config, 0, 0, true, true, ops);
  }

  boolean mayFail() {
    return refusedCount > 0;
  }

  /** Lets the kernel be the one of the program, and refuse what that says, from now on. */
  void apply(Allocators allocators) {
    allocators.os.makePagesHuge(); // all of a buffer is written
    allocators.kernel = isReal ? OperatingSystem.current() : allocators.os;
    if (mayFail()) {
      allocators.os.failCalls(refuseFrom, refusedCount, Errno.ENOMEM);
    }
  }

  BufferProgram withOps(List<BufferOp> other) {
    return new BufferProgram(
        config, refuseFrom, refusedCount, isConcurrent, isReal, List.copyOf(other));
  }

  /** The same steps in plainer surroundings, the plainest first. */
  List<BufferProgram> plainer() {
    List<BufferProgram> programs = new ArrayList<>();
    for (CommitMode mode : CommitMode.values()) {
      BufferConfig usual = BufferConfig.usual(mode);
      programs.add(new BufferProgram(usual, 0, 0, false, ops));
      programs.add(new BufferProgram(usual, refuseFrom, refusedCount, isConcurrent, isReal, ops));
    }
    programs.add(new BufferProgram(config, 0, 0, false, ops));
    programs.add(new BufferProgram(config, 0, 0, isConcurrent, ops));
    programs.add(new BufferProgram(config, 0, 0, isConcurrent, isReal, ops));
    programs.add(new BufferProgram(config, refuseFrom, refusedCount, false, ops));
    programs.add(new BufferProgram(config, refuseFrom, 1, isConcurrent, ops));
    programs.removeIf(program -> program.mayFail() && !mayFail());
    int own = programs.indexOf(this);
    return own < 0 ? programs : programs.subList(0, own);
  }

  /** A line about the surroundings, and one for each step or comment. */
  static BufferProgram parse(String text) {
    List<String> lines = text.strip().lines().toList();
    String[] words = lines.getFirst().strip().split(" ", -1);
    int rest = words.length - 4;
    return new BufferProgram(
        BufferConfig.parse(words),
        Integer.parseInt(words[rest]),
        Integer.parseInt(words[rest + 1]),
        Boolean.parseBoolean(words[rest + 2]),
        Boolean.parseBoolean(words[rest + 3]),
        lines.stream().skip(1).filter(line -> !line.startsWith("#")).map(BufferOp::parse).toList());
  }

  String text() {
    return config.text()
        + " "
        + refuseFrom
        + " "
        + refusedCount
        + " "
        + isConcurrent
        + " "
        + isReal
        + "\n"
        + ops.stream().map(op -> op.text() + "\n").collect(Collectors.joining());
  }
}
