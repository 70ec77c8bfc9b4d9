package dev.arenal.corpus.groovy;

import dev.arenal.corpus.common.Metaspace;

/**
 * A server that compiles its tenants' business rules from Groovy texts when they are asked for, and
 * keeps the compiled ones in an LRU cache. Like production are the skewed demand, the edits of
 * rules in use, the expressions that are evaluated once, and the tenants that come and go.
 */
public final class Main {
  private static final long SEED = 20_260_101;
  private static final int CAPACITY = 900;
  private static final int MOST_TENANTS = 36;
  private static final int TENANTS_AT_NIGHT = 4;
  private static final int RULES_AT_NIGHT = 40;
  private static final int DAY_ROUNDS = 50;
  private static final int NIGHT_ROUNDS = 4;
  private static final int REQUESTS_A_ROUND = 100;
  private static final int LEAST_RULES = 15;
  private static final int MOST_RULES = 75;
  private static final int RULES_STEP = 17;

  private final RuleServer server = new RuleServer(SEED, CAPACITY);
  private int joined;

  private Main() {}

  public static void main(String[] args) {
    Metaspace.say("start");
    new Main().run();
    Metaspace.collect();
    Metaspace.say("end");
    System.exit(0);
  }

  private void run() {
    day();
    Metaspace.say("first peak");
    night();
    Metaspace.say("night");
    for (int i = 0; i < NIGHT_ROUNDS; i++) {
      server.serve(REQUESTS_A_ROUND);
    }
    day();
    Metaspace.say("second peak");
    while (server.tenants() > 0) {
      server.leave();
    }
    server.shrinkTo(0);
  }

  /** Tenants join until all places are taken; after that one leaves for each that joins. */
  private void day() {
    for (int i = 0; i < DAY_ROUNDS; i++) {
      join();
      if (i % 2 == 0 && server.tenants() < MOST_TENANTS) {
        join();
      }
      if (server.tenants() > MOST_TENANTS) {
        server.leave();
      }
      server.serve(REQUESTS_A_ROUND);
    }
  }

  /** Most tenants are signed off, and most rules have not been used for long. */
  private void night() {
    while (server.tenants() > TENANTS_AT_NIGHT) {
      server.leave();
    }
    server.shrinkTo(RULES_AT_NIGHT);
    Metaspace.collect();
  }

  /** Sizes of tenants differ, but not at random: the same ones in each run. */
  private void join() {
    server.join(LEAST_RULES + joined++ * RULES_STEP % (MOST_RULES - LEAST_RULES));
  }
}
