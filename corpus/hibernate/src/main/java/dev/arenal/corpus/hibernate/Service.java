package dev.arenal.corpus.hibernate;

import dev.arenal.corpus.common.Metaspace;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Random;
import java.util.SequencedMap;

/**
 * A service for many tenants, each with entities of its own: a session factory is opened at a
 * tenant's first request and closed when others have been asked for more lately.
 */
public final class Service implements Runnable {
  private static final int TENANTS = 40;
  private static final int REQUESTS_A_DAY = 32;
  private static final int MOST_OPEN = 9;
  private static final int MOST_QUERIES = 9;

  private final String day;
  private final Random random;
  private final SequencedMap<Integer, Tenant> open = new LinkedHashMap<>(16, 0.75f, true);

  public Service(String day) {
    this.day = day;
    random = new Random(day.hashCode());
  }

  @Override
  public void run() {
    for (int i = 0; i < REQUESTS_A_DAY; i++) {
      request();
    }
    Metaspace.say(day + " day");
    close(1);
    Metaspace.collect();
    Metaspace.say(day + " evening");
    close(0);
    // The driver manager would keep H2, and with it the loader of this service.
    DriverManager.drivers().toList().forEach(Service::deregister);
  }

  private void request() {
    // The tenants with small numbers ask most often.
    int number = (int) (TENANTS * Math.pow(random.nextDouble(), 2));
    Tenant tenant = open.get(number);
    if (tenant == null) {
      tenant = new Tenant(number, size(number));
      tenant.insert(random);
      open.put(number, tenant);
      close(MOST_OPEN);
    }
    tenant.ask(random, 1 + random.nextInt(MOST_QUERIES));
  }

  /** Closes those that were not asked for the longest time. */
  private void close(int kept) {
    while (open.size() > kept) {
      open.pollFirstEntry().getValue().close();
    }
  }

  /** Few tenants have many tables. */
  private static int size(int number) {
    return 6 + new Random(number).nextInt(10) + (number % 4 == 0 ? 25 : 0);
  }

  private static void deregister(Driver driver) {
    try {
      DriverManager.deregisterDriver(driver);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
