package dev.arenal.corpus.calcite;

import dev.arenal.corpus.common.Popularity;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.IntConsumer;
import org.apache.calcite.adapter.java.ReflectiveSchema;
import org.apache.calcite.jdbc.CalciteConnection;

/** A service that answers its tenants' queries with Calcite; each deployment has its own. */
public final class QueryService implements IntConsumer, AutoCloseable {
  private static final int TENANTS = 16;
  private static final int MOST_SESSIONS = 6;
  private static final int MOST_STATEMENTS = 50;
  private static final int QUERIES_OF_A_TENANT = 200;
  private static final int SHARED_QUERIES = 40;

  private final ReflectiveSchema shop = new ReflectiveSchema(new Shop());
  private final Map<Integer, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);
  private final Popularity tenants;
  private final Popularity queries;
  private final Driver driver = new org.apache.calcite.jdbc.Driver();
  private int refused;

  /** Each deployment sees other requests. */
  public QueryService(Integer seed) {
    tenants = new Popularity(TENANTS, 0.9, seed);
    queries = new Popularity(QUERIES_OF_A_TENANT, 0.7, 50 + seed);
  }

  /** Answers one request. */
  @Override
  public void accept(int request) {
    int tenant = tenants.next();
    int query = queries.next();
    // Everyone has the dashboards; the others are a tenant's own.
    long number = query < SHARED_QUERIES ? query : tenant * 1_000L + query;
    try {
      session(tenant).run(QueryText.of(number), request % 100);
    } catch (SQLException | AssertionError e) {
      // A query that Calcite refuses, or finds no plan for, is its tenant's problem.
      refused++;
    }
  }

  private Session session(int tenant) throws SQLException {
    Session found = sessions.get(tenant);
    if (found != null) {
      return found;
    }
    Session opened = new Session(connect(), MOST_STATEMENTS);
    sessions.put(tenant, opened);
    if (sessions.size() > MOST_SESSIONS) {
      Iterator<Session> eldest = sessions.values().iterator();
      eldest.next().close();
      eldest.remove();
    }
    return opened;
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("lex", "JAVA");
    Connection connection = driver.connect("jdbc:calcite:", properties);
    CalciteConnection calcite = connection.unwrap(CalciteConnection.class);
    calcite.getRootSchema().add("shop", shop);
    calcite.setSchema("shop");
    return connection;
  }

  /** Takes back what holds this service's classes from outside: the drivers that registered. */
  @Override
  public void close() throws SQLException {
    for (Session session : sessions.values()) {
      session.close();
    }
    sessions.clear();
    if (refused > 0) {
      System.err.println("refused queries: " + refused);
    }
    List<Driver> drivers = Collections.list(DriverManager.getDrivers());
    for (Driver registered : drivers) {
      DriverManager.deregisterDriver(registered);
    }
  }
}
