package dev.arenal.corpus.clojure;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes expressions that are a whole number, small enough not to overflow. */
final class ExpressionWriter {
  /** A function of one number that expressions may call; its level says how deep its calls go. */
  record Function(String name, int level) {}

  private static final int MOST_LEVEL = 2;

  private final Random random;
  private final List<Function> functions = new ArrayList<>();
  private int names;
  private int deepest;

  ExpressionWriter(Random random) {
    this.random = random;
  }

  /** Makes a function known to the expressions that are written from now on. */
  void know(Function function) {
    functions.add(function);
  }

  List<Function> functions() {
    return functions;
  }

  /** The level of a function that has as its body all that was written since the last call. */
  int takeLevel() {
    int level = deepest;
    deepest = 0;
    return level;
  }

  String fresh(String prefix) {
    return prefix + names++;
  }

  /** An expression over a variable that calls none but the first so many known functions. */
  String number(String variable, int depth, int callable) {
    if (depth == 0) {
      return random.nextInt(3) == 0 ? constant(100) : variable;
    }
    String one = number(variable, depth - 1, callable);
    return switch (random.nextInt(13)) {
      case 0, 1 -> "(+ %s %s)".formatted(one, number(variable, depth - 1, callable));
      case 2 -> "(- %s %s)".formatted(one, constant(50));
      case 3 -> "(* %s %s)".formatted(constant(9), one);
      case 4 -> "(quot %s %s)".formatted(one, constant(12));
      case 5 -> "(if (%s %s) %s %s)".formatted(test(), one, variable, constant(30));
      case 6 -> "(-> %s inc (max %s) (mod 997))".formatted(one, constant(40));
      case 7 -> let(one, variable);
      case 8 ->
          "(cond (< %s %s) %s (zero? %s) 1 :else %s)"
              .formatted(variable, constant(90), one, variable, constant(70));
      case 9 -> call(one, callable);
      case 10 ->
          "(case (int (mod %s 4)) 0 %s 1 %s 2 7 %s)"
              .formatted(variable, constant(20), one, constant(60));
      case 11 -> "(count (filter %s (range (mod %s 17))))".formatted(test(), one);
      default -> "(reduce + %s)".formatted(sequence("(range %s)".formatted(constant(12))));
    };
  }

  /** A chain of steps over a sequence of numbers. */
  String sequence(String source) {
    StringBuilder text = new StringBuilder("(->> ").append(source);
    int steps = 1 + random.nextInt(4);
    for (int i = 0; i < steps; i++) {
      String x = fresh("x");
      switch (random.nextInt(6)) {
        case 0, 1 -> text.append(" (map (fn [%s] (mod %s 9973)))".formatted(x, number(x, 1, 0)));
        case 2 -> text.append(" (filter %s)".formatted(test()));
        case 3 -> text.append(" (remove (fn [%s] (> %s %s)))".formatted(x, x, constant(90)));
        case 4 -> text.append(" (take %s)".formatted(constant(15)));
        default -> text.append(" (sort-by (fn [%s] (- %s)))".formatted(x, x));
      }
    }
    return text.append(")").toString();
  }

  String test() {
    return switch (random.nextInt(4)) {
      case 0 -> "even?";
      case 1 -> "odd?";
      case 2 -> "pos?";
      default -> "(complement neg?)";
    };
  }

  String constant(int most) {
    return String.valueOf(1 + random.nextInt(most));
  }

  private String let(String one, String variable) {
    String a = fresh("a");
    String b = fresh("b");
    return "(let [%s %s %s (* %s 2)] (+ %s (mod %s 31) %s))"
        .formatted(a, one, b, variable, a, b, constant(9));
  }

  private String call(String argument, int callable) {
    if (callable == 0) {
      return "(inc %s)".formatted(argument);
    }
    Function function = functions.get(random.nextInt(callable));
    if (function.level() >= MOST_LEVEL) {
      return "(dec %s)".formatted(argument);
    }
    deepest = Math.max(deepest, function.level() + 1);
    return "(%s %s)".formatted(function.name(), argument);
  }
}
