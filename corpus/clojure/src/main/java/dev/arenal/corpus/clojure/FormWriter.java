package dev.arenal.corpus.clojure;

import dev.arenal.corpus.clojure.ExpressionWriter.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes the input of a REPL: definitions, some made again, and expressions that use them. */
final class FormWriter {
  private static final String[] KEYS = {"price", "size", "age", "count", "rate", "left", "top"};

  private final Random random;
  private final ExpressionWriter expressions;
  private final List<String> uses = new ArrayList<>();

  FormWriter(long seed) {
    random = new Random(seed);
    expressions = new ExpressionWriter(random);
  }

  /** The next input: one form, or a few that belong together. */
  String next() {
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> function();
      case 5, 6 -> again();
      case 7 -> data();
      case 8 -> random.nextInt(3) == 0 ? record() : function();
      case 9 -> random.nextInt(2) == 0 ? multimethod() : function();
      case 10 -> random.nextInt(3) == 0 ? macro() : state();
      default -> expression();
    };
  }

  /** The text of a file with a namespace. */
  String file(String namespace, int forms) {
    StringBuilder text = new StringBuilder(header(namespace)).append("\n\n");
    for (int i = 0; i < forms; i++) {
      switch (random.nextInt(12)) {
        case 0 -> text.append(data());
        case 1 -> text.append(record());
        case 2 -> text.append(multimethod());
        case 3 -> text.append(macro());
        default -> text.append(function());
      }
      text.append("\n\n");
    }
    return text.toString();
  }

  String header(String namespace) {
    return "(ns %s (:require [clojure.string :as str] [clojure.set :as set]))".formatted(namespace);
  }

  /** Makes the functions of a file's namespace known to what is typed from now on. */
  void use(FormWriter file, String namespace) {
    for (Function function : file.expressions.functions()) {
      expressions.know(new Function(namespace + "/" + function.name(), function.level()));
    }
  }

  private String function() {
    String name = expressions.fresh("f");
    String text = function(name, expressions.functions().size());
    expressions.know(new Function(name, expressions.takeLevel()));
    return text;
  }

  /** A function defined anew, with calls to none that could call it. */
  private String again() {
    List<Function> functions = expressions.functions();
    if (functions.isEmpty()) {
      return function();
    }
    int index = random.nextInt(functions.size());
    Function old = functions.get(index);
    if (old.name().contains("/")) {
      return expression(); // lives in a file
    }
    String text = function(old.name(), 0);
    expressions.takeLevel();
    return text;
  }

  private String function(String name, int callable) {
    String body = expressions.number("n", 1 + random.nextInt(4), callable);
    return switch (random.nextInt(6)) {
      case 0 ->
          """
          (defn %s
            ([n] (%s n %s))
            ([n m] (mod (+ m %s) 9973)))\
          """
              .formatted(name, name, expressions.constant(30), body);
      case 1 ->
          """
          (defn %s [n]
            (loop [i 0 acc n]
              (if (< i %s)
                (recur (inc i) (mod (+ acc %s) 9973))
                acc)))\
          """
              .formatted(name, expressions.constant(9), expressions.number("i", 2, 0));
      case 2 ->
          """
          (defn %s "Sums up what is left of the numbers." [n]
            (mod (reduce + %s %s) 9973))\
          """
              .formatted(name, body, expressions.sequence("(range (mod n 23))"));
      case 3 ->
          """
          (defn- %s-step [{:keys [%s %s] :or {%s 3} :as all} n]
            (+ (count all) %s %s))
          (defn %s [n] (mod (%s-step {:%s n} n) 9973))\
          """
              .formatted(name, KEYS[0], KEYS[1], KEYS[1], KEYS[1], body, name, name, KEYS[0]);
      case 4 ->
          """
          (defn %s [n & [factor]]
            (letfn [(step [k] (if (> k 50) (step (quot k 3)) (+ k %s)))]
              (mod (* (or factor 1) (step %s)) 9973)))\
          """
              .formatted(name, expressions.constant(9), body);
      default -> "(defn %s [n]\n  (mod %s 9973))".formatted(name, body);
    };
  }

  private String data() {
    String name = expressions.fresh("data");
    StringBuilder text = new StringBuilder("(def %s\n  [".formatted(name));
    int rows = 1 + random.nextInt(25);
    for (int i = 0; i < rows; i++) {
      text.append(
          "{:id %d :%s %d :tags #{:t%d :u%d}}\n   "
              .formatted(
                  i, key(), random.nextInt(500), random.nextInt(40), 40 + random.nextInt(9)));
    }
    uses.add("(map :id %s)".formatted(name));
    uses.add("(group-by (comp count :tags) %s)".formatted(name));
    uses.add("(apply set/union (map :tags %s))".formatted(name));
    return text.append("])").toString();
  }

  private String record() {
    String shape = expressions.fresh("Shape");
    String one = expressions.fresh("One");
    String method = expressions.fresh("measure");
    uses.add("(%s (->%s 3 4 %s) 5)".formatted(method, one, expressions.constant(90)));
    uses.add("(assoc (->%s 1 2 3) :%s %s)".formatted(one, key(), expressions.constant(90)));
    uses.add("(%s %s 2)".formatted(method, expressions.constant(90)));
    return """
    (defprotocol %s (%s [this n]) (%s-name [this]))
    (defrecord %s [width height depth]
      %s
      (%s [this n] (+ width %s))
      (%s-name [this] (str "one of " width)))
    (extend-protocol %s
      Long
      (%s [this n] (* this n))
      (%s-name [this] "a number")
      String
      (%s [this n] (count this))
      (%s-name [this] this))\
    """
        .formatted(
            shape,
            method,
            method,
            one,
            shape,
            method,
            expressions.number("n", 2, 0),
            method,
            shape,
            method,
            method,
            method,
            method);
  }

  private String multimethod() {
    String name = expressions.fresh("area");
    StringBuilder text = new StringBuilder("(defmulti %s :kind)".formatted(name));
    int kinds = 2 + random.nextInt(4);
    for (int i = 0; i < kinds; i++) {
      text.append(
          "\n(defmethod %s :k%d [{:keys [n]}] %s)"
              .formatted(name, i, expressions.number("n", 2, 0)));
      uses.add("(%s {:kind :k%d :n %s})".formatted(name, i, expressions.constant(80)));
    }
    return text.append("\n(defmethod %s :default [_] 0)".formatted(name)).toString();
  }

  private String macro() {
    String name = expressions.fresh("with");
    uses.add(
        "(%s %s (+ 1 %s))".formatted(name, expressions.constant(50), expressions.constant(50)));
    return "(defmacro %s [x & body] `(let [v# ~x] (+ v# %s ~@body)))"
        .formatted(name, expressions.constant(20));
  }

  private String state() {
    String name = expressions.fresh("state");
    uses.add("(swap! %s update :%s (fnil + 0) %s)".formatted(name, key(), expressions.constant(9)));
    uses.add("(swap! %s (fn [s] (assoc s :%s (count s))))".formatted(name, key()));
    uses.add("@" + name);
    return "(def %s (atom {}))".formatted(name);
  }

  private String expression() {
    List<Function> functions = expressions.functions();
    if (!uses.isEmpty() && random.nextInt(3) == 0) {
      return uses.get(random.nextInt(uses.size()));
    }
    return switch (random.nextInt(8)) {
      case 0 ->
          "(for [x (range %s) y (range x) :when (odd? (+ x y))] [x %s])"
              .formatted(expressions.constant(9), expressions.number("y", 1, 0));
      case 1 ->
          "(transduce (comp (map inc) (filter %s) (take %s)) + (range 30))"
              .formatted(expressions.test(), expressions.constant(20));
      case 2 ->
          "(str/join \", \" (map (fn [x] (str %s \"-\" x)) %s))"
              .formatted(expressions.constant(99), expressions.sequence("(range 9)"));
      case 3 ->
          "(let [{:keys [a b] [c & more] :c} {:a 1 :b %s :c [1 2 3]}] [a b c more])"
              .formatted(expressions.constant(99));
      case 4 -> expressions.sequence("(range %s)".formatted(expressions.constant(40)));
      case 5 ->
          "(sort (reify java.util.Comparator (compare [_ a b] (- b a))) [3 %s 2])"
              .formatted(expressions.constant(9));
      case 6 ->
          "(frequencies (map (fn [x] (mod x %s)) (range 40)))".formatted(expressions.constant(9));
      default ->
          functions.isEmpty()
              ? "(+ 1 %s)".formatted(expressions.constant(9))
              : "(%s %s)"
                  .formatted(
                      functions.get(random.nextInt(functions.size())).name(),
                      expressions.constant(200));
    };
  }

  private String key() {
    return KEYS[random.nextInt(KEYS.length)];
  }
}
