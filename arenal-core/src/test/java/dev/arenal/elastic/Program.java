package dev.arenal.elastic;

import java.util.ArrayList;
import java.util.List;

/** Steps to be run against an oracle, and the spaces to run them in; has a form in text. */
record Program(ProgramConfig config, List<Op> ops) {
  private static final String COLUMNS =
      "# config granuleBytes mode fixedSizeBytes policy reserveBytes budgetBytes spaces";

  String text() {
    StringBuilder text = new StringBuilder(COLUMNS).append('\n').append(config.text()).append('\n');
    for (Op op : ops) {
      text.append(op.text()).append('\n');
    }
    return text.toString();
  }

  static Program parse(String text) {
    ProgramConfig config = ProgramConfig.USUAL;
    List<Op> ops = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("config ")) {
        config = ProgramConfig.parse(line);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        ops.add(Op.parse(line));
      }
    }
    return new Program(config, ops);
  }

  Program withOps(List<Op> others) {
    return new Program(config, others);
  }
}
