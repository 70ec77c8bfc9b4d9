package dev.arenal.elastic;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import java.util.ArrayList;
import java.util.List;

/** The spaces that a {@link Program} runs in: all alike, with one budget. */
record ProgramConfig(
    long granuleBytes,
    CommitMode mode,
    long fixedSizeBytes,
    ReclaimPolicy policy,
    long reserveBytes,
    long budgetBytes,
    int countSpaces,
    boolean touches) {
  static final ProgramConfig USUAL =
      new ProgramConfig(4096, CommitMode.DISCARD, 0, ReclaimPolicy.BALANCED, -1, -1, 1, false);

  /** Each step is one of the program, and a space that grows is always hot. */
  private static final TouchHelper STEP_BY_STEP = new TouchHelper(_ -> {}, () -> 0);

  boolean isLimited() {
    return fixedSizeBytes > 0 || budgetBytes >= 0;
  }

  ProgramConfig withoutTouches() {
    return new ProgramConfig(
        granuleBytes, mode, fixedSizeBytes, policy, reserveBytes, budgetBytes, countSpaces, false);
  }

  List<ElasticSpace> build(OperatingSystem os) {
    Budget budget =
        budgetBytes < 0
            ? Budget.unlimited("program")
            : Budget.limitedTo("program", Math.max(budgetBytes, granuleBytes));
    List<ElasticSpace> spaces = new ArrayList<>();
    for (int i = 0; i < countSpaces; i++) {
      ElasticSpaceBuilder builder =
          ElasticSpace.builder("space-" + i)
              .operatingSystem(os)
              .touchAhead(touches)
              .touchHelper(STEP_BY_STEP)
              .granuleBytes(granuleBytes)
              .commitMode(mode)
              .reclaimPolicy(policy)
              .budget(budget);
      if (fixedSizeBytes > 0) {
        var _ = builder.fixedSizeBytes(fixedSizeBytes);
      }
      if (reserveBytes >= 0) {
        var _ = builder.reserveBytes(reserveBytes);
      }
      spaces.add(builder.build());
    }
    return spaces;
  }

  String text() {
    return "config "
        + granuleBytes
        + " "
        + mode
        + " "
        + fixedSizeBytes
        + " "
        + policy
        + " "
        + reserveBytes
        + " "
        + budgetBytes
        + " "
        + countSpaces
        + " "
        + touches;
  }

  static ProgramConfig parse(String line) {
    String[] words = line.strip().split("\\s+", -1);
    return new ProgramConfig(
        Long.parseLong(words[1]),
        CommitMode.valueOf(words[2]),
        Long.parseLong(words[3]),
        ReclaimPolicy.valueOf(words[4]),
        Long.parseLong(words[5]),
        Long.parseLong(words[6]),
        Integer.parseInt(words[7]),
        words.length > 8 && Boolean.parseBoolean(words[8]));
  }
}
