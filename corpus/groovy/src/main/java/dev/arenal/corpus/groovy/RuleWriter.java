package dev.arenal.corpus.groovy;

import java.util.Random;

/** Writes the texts of business rules: six kinds, each text of its own length and content. */
final class RuleWriter {
  private static final String[] NUMBERS = {
    "total", "weight", "distance", "visits", "margin", "score", "age", "parcels"
  };
  private static final String[] NAMES = {"country", "city", "channel", "segment", "coupon"};
  private static final String[] VALUES = {
    "Lyon", "Porto", "Gent", "Graz", "web", "shop", "phone", "gold", "silver", "K7", "SUMMER", "ES"
  };
  private static final String[] CATEGORIES = {"books", "tools", "food", "toys", "garden"};

  private final Random random;

  RuleWriter(long seed) {
    random = new Random(seed);
  }

  /** Text of a rule. */
  String rule() {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> decisions();
      case 3, 4 -> checks();
      case 5 -> report();
      case 6 -> tariff();
      case 7, 8 -> definitions();
      default -> table();
    };
  }

  /** Text of an expression, as it is typed into a form to try something out. */
  String expression() {
    return switch (random.nextInt(4)) {
      case 0 -> condition();
      case 1 -> "order.%s * %s + order.%s".formatted(number(), factor(), number());
      case 2 -> "\"${order.%s}: ${order.%s} (%d)\"".formatted(name(), number(), upTo(1000));
      default -> "order.lines.%s".formatted(pipeline());
    };
  }

  /** Text of the library that all rules of a tenant build on. */
  String library() {
    StringBuilder text =
        new StringBuilder(
            """
            class Definition {
              Closure condition = { true }
              Closure action = { }
              void when(Closure closure) { condition = closure }
              void then(Closure closure) { action = closure }
            }

            abstract class Rules extends Script {
              BigDecimal round(value) {
                (value as BigDecimal).setScale(2, java.math.RoundingMode.HALF_UP)
              }

              void rule(String name, Closure closure) {
                def definition = new Definition()
                closure.delegate = definition
                closure.resolveStrategy = Closure.DELEGATE_FIRST
                closure()
                if (definition.condition()) {
                  definition.action()
                }
              }

            """);
    int helpers = between(3, 15);
    for (int i = 0; i < helpers; i++) {
      text.append(
          "  def helper%d(order) {\n    %s ? %d : order.%s\n  }\n\n"
              .formatted(i, condition(), upTo(100), number()));
    }
    text.append("}\n\n@groovy.transform.Canonical\nclass Customer {\n");
    int fields = between(2, 8);
    for (int i = 0; i < fields; i++) {
      text.append("  %s field%d\n".formatted(random.nextBoolean() ? "String" : "BigDecimal", i));
    }
    return text.append("}\n\nenum Status { NEW, PAID, SENT, RETURNED }\n").toString();
  }

  /** A chain of conditions and what follows from each. */
  private String decisions() {
    StringBuilder text = new StringBuilder("def result = 0G\ndef tags = []\n");
    int count = between(4, 20);
    for (int i = 0; i < count; i++) {
      text.append("if (%s) {\n".formatted(condition()));
      appendEffects(text);
      if (random.nextInt(4) == 0) {
        text.append("} else {\n  tags << 'not %d'\n".formatted(i));
      }
      text.append("}\n");
    }
    return text.append("[round(result), tags]\n").toString();
  }

  /** One method for each thing to check, and a list of those that failed. */
  private String checks() {
    StringBuilder text = new StringBuilder();
    int count = between(3, 10);
    for (int i = 0; i < count; i++) {
      text.append("boolean check%d(order) {\n".formatted(i));
      text.append("  def limit = order.%s * %s\n".formatted(number(), factor()));
      text.append("  %s || limit > %d\n}\n\n".formatted(condition(), upTo(500)));
    }
    text.append("def errors = []\n");
    for (int i = 0; i < count; i++) {
      text.append(
          "if (!check%d(order)) {\n  errors << \"%s: ${order.%s}\"\n}\n"
              .formatted(i, value(), name()));
    }
    return text.append("errors\n").toString();
  }

  /** Figures from the lines of an order by chains of closures. */
  private String report() {
    StringBuilder text = new StringBuilder("def figures = [:]\n");
    int count = between(2, 6);
    for (int i = 0; i < count; i++) {
      text.append("figures.f%d = order.lines.%s\n".formatted(i, pipeline()));
    }
    return text.append("figures.collect { key, value -> \"$key=$value\" }.join('; ')\n").toString();
  }

  /** A statically compiled class of the rule's own. */
  private String tariff() {
    StringBuilder text = new StringBuilder("@groovy.transform.CompileStatic\nclass Tariff {\n");
    text.append("  int base\n  String name = '%s'\n\n".formatted(value()));
    int count = between(2, 7);
    for (int i = 0; i < count; i++) {
      text.append("  BigDecimal step%d(Map<String, Object> order) {\n".formatted(i));
      text.append("    int value = (order['%s'] as Integer) + base\n".formatted(number()));
      int branches = between(1, 5);
      for (int j = 0; j < branches; j++) {
        text.append("    if (value > %d) { return %s }\n".formatted(upTo(900), factor()));
      }
      text.append("    return value * %s\n  }\n\n".formatted(factor()));
    }
    text.append("}\n\ndef tariff = new Tariff(base: %d)\ndef sum = 0G\n".formatted(upTo(50)));
    for (int i = 0; i < count; i++) {
      text.append("sum += tariff.step%d(order)\n".formatted(i));
    }
    return text.append("round(sum)\n").toString();
  }

  /** Rules in the tenant's own small language. */
  private String definitions() {
    StringBuilder text = new StringBuilder("def result = 0G\ndef tags = []\n");
    int count = between(2, 8);
    for (int i = 0; i < count; i++) {
      text.append("rule('%s %d') {\n  when { %s }\n  then {\n".formatted(value(), i, condition()));
      appendEffects(text);
      text.append("  }\n}\n");
    }
    return text.append("[round(result), tags]\n").toString();
  }

  /** A table and a look-up in it. */
  private String table() {
    StringBuilder text = new StringBuilder("def rows = [\n");
    int count = between(5, 40);
    for (int i = 0; i < count; i++) {
      text.append(
          "  [city: '%s', above: %d, factor: %s],\n".formatted(value(), upTo(300), factor()));
    }
    return text.append(
            "]\ndef row = rows.find { it.city == order.city && order.%s > it.above }\n"
                .formatted(number()))
        .append("round(order.total * (row?.factor ?: 1))\n")
        .toString();
  }

  private void appendEffects(StringBuilder text) {
    int count = between(1, 3);
    for (int i = 0; i < count; i++) {
      text.append("    ");
      switch (random.nextInt(4)) {
        case 0 -> text.append("result += order.%s * %s\n".formatted(number(), factor()));
        case 1 -> text.append("result -= %d\n".formatted(upTo(40)));
        case 2 -> text.append("tags << \"%s ${order.%s}\"\n".formatted(value(), name()));
        default -> text.append("result = round(result / %d)\n".formatted(between(2, 9)));
      }
    }
  }

  private String condition() {
    return switch (random.nextInt(7)) {
      case 0 -> "order.%s > %d".formatted(number(), upTo(500));
      case 1 -> "order.%s == '%s'".formatted(name(), value());
      case 2 -> "order.%s?.startsWith('%s')".formatted(name(), value().substring(0, 1));
      case 3 -> "order.%s in ['%s', '%s']".formatted(name(), value(), value());
      case 4 -> "order.%s in %d..%d".formatted(number(), upTo(50), between(50, 400));
      case 5 -> "(%s && %s)".formatted(condition(), condition());
      default -> "order.lines.any { it.price > %d }".formatted(upTo(90));
    };
  }

  private String pipeline() {
    return switch (random.nextInt(5)) {
      case 0 -> "findAll { it.quantity > %d }.collect { it.sku }".formatted(upTo(9));
      case 1 ->
          "groupBy { it.category }.collectEntries { k, v -> [k, v.sum { it.price * %s }] }"
              .formatted(factor());
      case 2 -> "sort { -it.price }.take(%d)*.sku.join(',')".formatted(between(1, 5));
      case 3 ->
          "inject(0G) { sum, line -> sum + line.price * line.quantity * %s }".formatted(factor());
      default -> "count { it.category == '%s' }".formatted(pick(CATEGORIES));
    };
  }

  private String number() {
    return pick(NUMBERS);
  }

  private String name() {
    return pick(NAMES);
  }

  private String value() {
    return pick(VALUES);
  }

  private String factor() {
    return "%d.%02d".formatted(random.nextInt(3), between(1, 99));
  }

  private int upTo(int most) {
    return between(1, most);
  }

  private int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }
}
