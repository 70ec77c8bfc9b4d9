package dev.arenal.corpus.lambdas;

import dev.arenal.corpus.common.Metaspace;
import java.io.IOException;

/**
 * A host of plugins on the JDK alone, over two days with a night between: plugins are compiled when
 * they are deployed, started when they are asked for and stopped when others are asked for more
 * often, as in servers that run their users' code and formulas.
 */
public final class Main {
  private static final int REQUESTS_OF_DAY_1 = 1_200;
  private static final int REQUESTS_OF_DAY_2 = 2_400;

  private Main() {}

  public static void main(String[] args) throws IOException {
    Metaspace.say("start");
    try (SourceCompiler compiler = new SourceCompiler()) {
      PluginHost host = new PluginHost(compiler);
      Formulas formulas = new Formulas();
      day(1, REQUESTS_OF_DAY_1, host, formulas);
      // At night a few requests come still; what they need stays.
      host.keep(PluginHost.FEWEST);
      formulas.keep(Formulas.FEWEST);
      Metaspace.collect();
      Metaspace.say("night, few plugins");
      day(2, REQUESTS_OF_DAY_2, host, formulas);
      host.keep(0);
      formulas.keep(0);
    }
    Metaspace.collect();
    Metaspace.say("end, all stopped");
  }

  /** Another day, other plugins are the popular ones. */
  private static void day(int day, int requests, PluginHost host, Formulas formulas) {
    host.newDay(day);
    formulas.newDay(day);
    for (int i = 0; i < requests; i++) {
      host.serve(i);
      formulas.evaluate(i);
      if (i == requests / 3) {
        Metaspace.say("day " + day + ", a third served");
      }
    }
    Metaspace.say("day " + day + ", all served");
  }
}
