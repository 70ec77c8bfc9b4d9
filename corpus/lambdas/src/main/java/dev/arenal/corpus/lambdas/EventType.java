package dev.arenal.corpus.lambdas;

import java.util.List;

/** A record that a plugin declares, with its fields. */
record EventType(String name, List<Field> fields) {

  /** A field of the record. */
  record Field(Kind kind, String name) {

    String sample() {
      return kind.sample;
    }

    /** An expression of type long over the record in the variable. */
    String weightOf(String variable) {
      return kind.weight.formatted(variable + "." + name + "()");
    }

    /** An expression of type boolean over the record in the variable. */
    String conditionOn(String variable, String limit) {
      return kind.condition.formatted(variable + "." + name + "()", limit);
    }
  }

  /** The types that fields have, each with source that makes a value and source that uses one. */
  enum Kind {
    INT("int", "n % 97", "%s", "%s > %s"),
    LONG("long", "n * 31L", "%s", "%s %% 1_000 != %s"),
    DOUBLE("double", "n / 7.0", "(long) %s", "%s < %s + 0.5"),
    TEXT("String", "\"t\" + n", "%s.length()", "%s.length() > %s"),
    FLAG("boolean", "n % 2 == 0", "(%s ? 1 : 0)", "%s == (%s > 50)"),
    TAGS("List<String>", "List.of(\"first\", \"tag\" + n)", "%s.size()", "%s.size() < %s");

    final String source;
    private final String sample;
    private final String weight;
    private final String condition;

    Kind(String source, String sample, String weight, String condition) {
      this.source = source;
      this.sample = sample;
      this.weight = weight;
      this.condition = condition;
    }

    boolean isComparable() {
      return this != TAGS;
    }

    /** The type's class literal. */
    String literal() {
      return this == TAGS ? "List.class" : source + ".class";
    }
  }
}
