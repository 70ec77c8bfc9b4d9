package dev.arenal.corpus.clojure;

import clojure.lang.Keyword;
import clojure.lang.MultiFn;
import clojure.lang.RT;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Serves many sessions by turns; those that are done stay connected for a while. */
final class ReplServer {
  private static final int ARRIVAL_ODDS = 4; // one of so many turns, while places are free

  private final Random random;
  private final int idle;
  private final List<Session> active = new ArrayList<>();
  private final Deque<Session> done = new ArrayDeque<>();
  private int sessions;

  ReplServer(long seed, int idle) {
    random = new Random(seed);
    this.idle = idle;
  }

  /** So many turns, while people arrive until so many are active. */
  void serve(int turns, int people) {
    for (int i = 0; i < turns; i++) {
      if (active.isEmpty() || active.size() < people && random.nextInt(ARRIVAL_ODDS) == 0) {
        Session session = new Session(sessions++);
        session.open();
        active.add(session);
      }
      int index = random.nextInt(active.size());
      Session session = active.get(index);
      session.next();
      if (session.isDone()) {
        active.remove(index);
        done.add(session);
        if (done.size() > idle) {
          done.remove().close();
        }
      }
    }
  }

  /** Disconnects those that are done, and of the active ones all but so many. */
  void disconnect(int staying) {
    while (!done.isEmpty()) {
      done.remove().close();
    }
    while (active.size() > staying) {
      active.remove(random.nextInt(active.size())).close();
    }
    forgetPrinted();
  }

  /** Printing remembers the class of each record it has printed, until its methods change. */
  private static void forgetPrinted() {
    MultiFn print = (MultiFn) RT.var("clojure.core", "print-method").deref();
    print.removeMethod(Keyword.intern("dev.arenal", "none"));
  }
}
