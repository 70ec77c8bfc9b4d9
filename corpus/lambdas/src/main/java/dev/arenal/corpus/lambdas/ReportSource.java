package dev.arenal.corpus.lambdas;

import dev.arenal.corpus.lambdas.EventType.Field;
import java.util.List;
import java.util.Random;

/** The source of a plugin's reports: streams over its events. */
final class ReportSource {
  private static final int MOST = 12;
  private static final int KINDS = 4;

  private final List<EventType> events;
  private final Random random;
  private final int count;

  ReportSource(List<EventType> events, Random random) {
    this.events = events;
    this.random = random;
    this.count = 2 + random.nextInt(MOST - 1);
  }

  int count() {
    return count;
  }

  String source() {
    StringBuilder body = new StringBuilder("final class Reports {\n");
    for (int i = 0; i < count; i++) {
      EventType type = events.get(random.nextInt(events.size()));
      Field field = type.fields().get(random.nextInt(type.fields().size()));
      body.append(
          """
            static Object report%d(List<Event> events) {
              return events.stream()
                  .filter(Event.%2$s.class::isInstance)
                  .map(Event.%2$s.class::cast)
                  %3$s;
            }
          """
              .formatted(i, type.name(), rest(type, field)));
    }
    return body.append("}\n").toString();
  }

  private String rest(EventType type, Field field) {
    int kind = random.nextInt(KINDS);
    if (kind == 0 && field.kind().isComparable()) {
      return ".sorted(Comparator.comparing(Event.%s::%s).reversed()).limit(%d).toList()"
          .formatted(type.name(), field.name(), 1 + random.nextInt(9));
    }
    return switch (kind) {
      case 1 ->
          ".collect(Collectors.partitioningBy(e -> %s, Collectors.counting()))"
              .formatted(field.conditionOn("e", "" + random.nextInt(97)));
      case 2 -> ".mapToLong(e -> %s).summaryStatistics()".formatted(field.weightOf("e"));
      case 3 ->
          ".map(e -> \"%s=\" + e.%s() + \";\").collect(Collectors.joining())"
              .formatted(field.name(), field.name());
      default ->
          ".collect(Collectors.groupingBy(Event.%s::%s, Collectors.counting()))"
              .formatted(type.name(), field.name());
    };
  }
}
