package dev.arenal.corpus.groovy;

import groovy.lang.Binding;
import groovy.lang.GroovyClassLoader;
import groovy.lang.GroovyShell;
import groovy.lang.Script;
import org.codehaus.groovy.control.CompilerConfiguration;

/** A customer of the rule server: a library of its own, and rules that build on it. */
final class Tenant {
  private static final int SEED_STEP = 1_000_003;

  private final int number;
  private final int[] versions;
  private final GroovyClassLoader library;
  private final CompilerConfiguration configuration = new CompilerConfiguration();

  Tenant(int number, int rules) {
    this.number = number;
    versions = new int[rules];
    library = new GroovyClassLoader(Tenant.class.getClassLoader());
    library.parseClass(new RuleWriter(number).library(), "Library%d.groovy".formatted(number));
    configuration.setScriptBaseClass("Rules");
  }

  int rules() {
    return versions.length;
  }

  /** Makes the next version of a rule the one in force. */
  void edit(int rule) {
    versions[rule]++;
  }

  /** The name of a rule in its present version, different from those of all tenants' others. */
  String nameOf(int rule) {
    return "T%dRule%dv%d".formatted(number, rule, versions[rule]);
  }

  /** Compiles the present version of a rule by a shell of its own, so that it can go alone. */
  Script compile(int rule) {
    long seed = ((long) number * SEED_STEP + rule) * SEED_STEP + versions[rule];
    GroovyShell shell = new GroovyShell(library, new Binding(), configuration);
    return shell.parse(new RuleWriter(seed).rule(), nameOf(rule) + ".groovy");
  }

  /** Evaluates a text once, in the context of this tenant's library. */
  Object evaluate(String text, Binding binding) {
    return new GroovyShell(library, binding, configuration).evaluate(text);
  }
}
