package dev.arenal.corpus.clojure;

import dev.arenal.corpus.common.Metaspace;

/**
 * A server of REPL sessions: each form is compiled and lives in a class loader of its own, most
 * only until its value is printed. Like production are the sessions of different length, the
 * functions defined again, the files reloaded, and the namespaces removed when a session is over.
 */
public final class Main {
  private static final long SEED = 20_260_101;
  private static final int IDLE = 12;
  private static final int PEOPLE = 40;
  private static final int PEOPLE_AT_NIGHT = 3;
  private static final int DAY_TURNS = 3_300;
  private static final int NIGHT_TURNS = 200;

  private Main() {}

  public static void main(String[] args) {
    Metaspace.say("start");
    run(new ReplServer(SEED, IDLE));
    Metaspace.collect();
    Metaspace.say("end");
    System.exit(0);
  }

  private static void run(ReplServer server) {
    server.serve(DAY_TURNS, PEOPLE);
    Metaspace.say("first peak");
    server.disconnect(PEOPLE_AT_NIGHT);
    Metaspace.collect();
    Metaspace.say("night");
    server.serve(NIGHT_TURNS, PEOPLE_AT_NIGHT);
    server.serve(DAY_TURNS, PEOPLE);
    Metaspace.say("second peak");
    server.disconnect(0);
  }
}
