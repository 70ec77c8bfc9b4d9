package dev.arenal.corpus.rhino;

import dev.arenal.corpus.common.Metaspace;
import dev.arenal.corpus.common.Zipf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;

/**
 * A service that judges orders by the rules of its tenants, which are JavaScript compiled by Rhino.
 * Tenants come, edit their rules and go; a cache holds the scripts that were asked for lately, each
 * of which is a class in a loader of its own. At night most of them expire.
 */
public final class Main {
  private static final int TENANTS = 44;
  private static final int FIRST_TENANTS = 6;
  private static final int REQUESTS = 4_500;
  private static final int REQUESTS_PER_ARRIVAL = 90;
  private static final int REQUESTS_PER_DEPARTURE = 500;
  private static final int REQUESTS_PER_EDIT = 25;
  private static final int SCRIPTS = 900;
  private static final int SCRIPTS_AT_NIGHT = 60;
  private static final int TENANTS_AT_NIGHT = 5;

  private final Random random = new Random(20260101);
  private final Zipf zipf = new Zipf(128, 0.7);
  private final RuleCache cache = new RuleCache(SCRIPTS);
  private final List<Tenant> tenants = new ArrayList<>();
  private final CRC32 results = new CRC32();
  private ScriptableObject shared;
  private int arrivals;

  private Main() {}

  public static void main(String[] args) {
    Metaspace.say("start");
    Main main = new Main();
    main.day("first peak");
    main.night();
    Metaspace.collect();
    Metaspace.say("quiet");
    main.day("second peak");
    main.cache.trimTo(0);
    main.tenants.clear();
    main.shared = null;
    Metaspace.collect();
    Metaspace.say("end");
    System.err.printf("results %08x%n", main.results.getValue());
  }

  /** A day of requests, most of them for the rules of few tenants. */
  private void day(String peak) {
    Context context = Context.enter();
    try {
      context.setInterpretedMode(false);
      context.setLanguageVersion(Context.VERSION_ES6);
      if (shared == null) {
        shared = context.initStandardObjects(null, true);
      }
      while (tenants.size() < FIRST_TENANTS) {
        arrive(context);
      }
      for (int i = 1; i <= REQUESTS; i++) {
        if (i % REQUESTS_PER_ARRIVAL == 0 && tenants.size() < TENANTS) {
          arrive(context);
        }
        if (i % REQUESTS_PER_DEPARTURE == 0) {
          depart(random.nextInt(tenants.size()));
        }
        request(context, i);
      }
      Metaspace.say(peak);
    } finally {
      Context.exit();
    }
  }

  private void request(Context context, int number) {
    Tenant tenant = tenants.get(zipf.next(random, tenants.size()));
    int rule = zipf.next(random, tenant.rules());
    if (number % REQUESTS_PER_EDIT == 0) {
      tenant.edit(rule);
    }
    String result = tenant.judge(context, cache, rule, Host.order(random, number));
    results.update(result.getBytes(StandardCharsets.UTF_8));
  }

  private void arrive(Context context) {
    tenants.add(new Tenant(arrivals++, context, shared));
  }

  private void depart(int index) {
    cache.drop(tenants.remove(index).id());
  }

  /** Scripts that nobody asks for at night expire, and most tenants leave. */
  private void night() {
    while (tenants.size() > TENANTS_AT_NIGHT) {
      depart(tenants.size() - 1);
    }
    cache.trimTo(SCRIPTS_AT_NIGHT);
  }
}
