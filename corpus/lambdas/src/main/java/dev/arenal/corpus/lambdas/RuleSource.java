package dev.arenal.corpus.lambdas;

import dev.arenal.corpus.lambdas.EventType.Field;
import java.util.List;
import java.util.Random;

/** The source of a plugin's rules: lambdas and method references, registered when it starts. */
final class RuleSource {
  private static final int FEWEST = 8;
  private static final int MOST = 45;
  private static final int KINDS = 5;

  private final List<EventType> events;
  private final Random random;

  RuleSource(List<EventType> events, Random random) {
    this.events = events;
    this.random = random;
  }

  String source() {
    StringBuilder body = new StringBuilder();
    for (EventType type : events) {
      body.append("    makers.add(Event.%s::sample);\n".formatted(type.name()));
    }
    int count = FEWEST + random.nextInt(MOST - FEWEST);
    for (int i = 0; i < count; i++) {
      body.append("    ").append(rule(i)).append('\n');
    }
    return """
    final class Rules {
      private final List<IntFunction<Event>> makers = new ArrayList<>();
      private final Map<String, Predicate<Event>> tests = new LinkedHashMap<>();
      private final List<ToLongFunction<Event>> weights = new ArrayList<>();
      private final List<BiFunction<Event, Integer, String>> labels = new ArrayList<>();
      private final Map<String, Function<Event, Object>> getters = new LinkedHashMap<>();
      private final List<Supplier<Event>> defaults = new ArrayList<>();

      Rules(int limit) {
    %s  }

      List<Event> events(int n) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          events.add(makers.get((n + i) %% makers.size()).apply(n + i));
        }
        return events;
      }

      String apply(Event event, int n) {
        long passed = tests.values().stream().filter(test -> test.test(event)).count();
        long weight = weights.stream().mapToLong(w -> w.applyAsLong(event)).sum();
        String label = labels.isEmpty() ? "" : labels.get(n %% labels.size()).apply(event, n);
        return passed + " of " + tests.size() + ", " + weight + label + getters.size();
      }
    }
    """
        .formatted(body);
  }

  private String rule(int i) {
    EventType type = events.get(random.nextInt(events.size()));
    Field field = type.fields().get(random.nextInt(type.fields().size()));
    // A lambda with the limit captures, one without does not.
    String limit = random.nextBoolean() ? "limit" : String.valueOf(random.nextInt(97));
    return switch (random.nextInt(KINDS)) {
      case 0 ->
          "tests.put(\"rule%d\", e -> e instanceof Event.%s p && %s);"
              .formatted(i, type.name(), field.conditionOn("p", limit));
      case 1 ->
          "weights.add(e -> e instanceof Event.%s p ? %s : %s);"
              .formatted(type.name(), field.weightOf("p"), limit);
      case 2 ->
          "labels.add((e, n) -> \"%s \" + n + \"/\" + (e.hashCode() + %s));"
              .formatted(field.name() + i, limit);
      case 3 ->
          """
          getters.put(
              "%2$s%3$d", ((Function<Event.%1$s, Object>) Event.%1$s::%2$s)
                  .compose(Event.%1$s.class::cast));\
          """
              .formatted(type.name(), field.name(), i);
      default ->
          "defaults.add(() -> Event.%s.sample(%s + %d));"
              .formatted(type.name(), limit, random.nextInt(9));
    };
  }
}
