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
    int spaceCount) {
  static final ProgramConfig USUAL =
      new ProgramConfig(4096, CommitMode.DISCARD, 0, ReclaimPolicy.BALANCED, -1, -1, 1);

  boolean isLimited() {
    return fixedSizeBytes > 0 || budgetBytes >= 0;
  }

  List<ElasticSpace> build(OperatingSystem os) {
    Budget budget =
        budgetBytes < 0
            ? Budget.unlimited("program")
            : Budget.limitedTo("program", Math.max(budgetBytes, granuleBytes));
    List<ElasticSpace> spaces = new ArrayList<>();
    for (int i = 0; i < spaceCount; i++) {
      ElasticSpaceBuilder builder =
          ElasticSpace.builder("space-" + i)
              .operatingSystem(os)
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
        + spaceCount;
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
        Integer.parseInt(words[7]));
  }
}
