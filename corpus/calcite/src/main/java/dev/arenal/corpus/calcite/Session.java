package dev.arenal.corpus.calcite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** A tenant's connection, with a cache of the statements that it prepared. */
final class Session implements AutoCloseable {
  private final Connection connection;
  private final int mostStatements;
  private final Map<String, PreparedStatement> statements = new LinkedHashMap<>(16, 0.75f, true);

  Session(Connection connection, int mostStatements) {
    this.connection = connection;
    this.mostStatements = mostStatements;
  }

  /** Runs a query, with the argument for each parameter, and counts its rows. */
  int run(String sql, int argument) throws SQLException {
    PreparedStatement statement = prepared(sql);
    int parameters = statement.getParameterMetaData().getParameterCount();
    for (int i = 1; i <= parameters; i++) {
      statement.setInt(i, argument);
    }
    int rows = 0;
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows++;
      }
    }
    return rows;
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement found = statements.get(sql);
    if (found != null) {
      return found;
    }
    PreparedStatement statement = connection.prepareStatement(sql);
    statements.put(sql, statement);
    if (statements.size() > mostStatements) {
      Iterator<PreparedStatement> eldest = statements.values().iterator();
      eldest.next().close();
      eldest.remove();
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
    connection.close();
  }
}
