package dev.arenal.corpus.calcite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** The SQL of queries over the shop: look-ups, reports, rankings, unions and more. */
final class QueryText {
  /** A table with a short name, its columns of text with the values they have, and of numbers. */
  private record Table(String name, String alias, List<Text> texts, List<String> numbers) {}

  private record Text(String name, String[] values) {}

  /** Two tables and how they belong together. */
  private record Join(Table left, Table right, String condition) {}

  private static final Table CUSTOMERS =
      new Table(
          "customers",
          "c",
          List.of(new Text("city", Shop.CITIES), new Text("segment", Shop.SEGMENTS)),
          List.of("custId", "creditLimit"));
  private static final Table ORDERS =
      new Table(
          "orders",
          "o",
          List.of(new Text("status", Shop.STATES)),
          List.of("orderId", "custId", "total", "priority"));
  private static final Table ITEMS =
      new Table("items", "i", List.of(), List.of("orderId", "productId", "quantity", "unitPrice"));
  private static final Table PRODUCTS =
      new Table(
          "products",
          "p",
          List.of(new Text("category", Shop.CATEGORIES)),
          List.of("productId", "listPrice", "stock"));
  private static final Table STAFF =
      new Table(
          "staff",
          "s",
          List.of(new Text("city", Shop.CITIES)),
          List.of("staffId", "managerId", "salary"));

  private static final List<Table> TABLES = List.of(CUSTOMERS, ORDERS, ITEMS, PRODUCTS, STAFF);
  private static final List<Join> JOINS =
      List.of(
          new Join(CUSTOMERS, ORDERS, "c.custId = o.custId"),
          new Join(ORDERS, ITEMS, "o.orderId = i.orderId"),
          new Join(PRODUCTS, ITEMS, "p.productId = i.productId"),
          new Join(CUSTOMERS, STAFF, "c.city = s.city"));
  private static final String[] AGGREGATES = {"SUM", "MIN", "MAX", "AVG", "COUNT"};
  private static final String[] COMPARISONS = {">", "<", ">=", "<>", "="};

  private final Random random;
  private final List<Supplier<String>> kinds =
      List.of(
          this::lookup,
          this::lookup,
          this::report,
          this::joinReport,
          this::joinReport,
          this::ranking,
          this::buckets,
          this::semiJoin,
          this::union,
          this::withSpending);

  private QueryText(long seed) {
    random = new Random(seed);
  }

  /** The query with the number; a number has always the same. */
  static String of(long number) {
    QueryText text = new QueryText(number * 0x9E3779B97F4A7C15L);
    return text.kinds.get(text.random.nextInt(text.kinds.size())).get();
  }

  /** Some rows of one table, by a parameter often. */
  private String lookup() {
    Table table = any(TABLES);
    String where = where(table, 1 + random.nextInt(3));
    if (random.nextBoolean()) {
      where += " AND " + column(table, table.numbers.getFirst()) + " > ?";
    }
    return "SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %d"
        .formatted(
            columns(table),
            from(table),
            where,
            column(table, any(table.numbers)),
            1 + random.nextInt(50));
  }

  /** Sums of one table. */
  private String report() {
    Table table = any(TABLES);
    String group = group(table);
    return "SELECT %s AS grp, %s FROM %s WHERE %s GROUP BY %s HAVING COUNT(*) > %d"
        .formatted(
            group, aggregates(table), from(table), where(table, 1), group, random.nextInt(5));
  }

  /** Sums over two or three tables, highest first. */
  private String joinReport() {
    Join join = any(JOINS);
    String from = from(join.left) + " JOIN " + from(join.right) + " ON " + join.condition;
    if (join.right == ORDERS && random.nextBoolean()) {
      from += " JOIN items i ON o.orderId = i.orderId";
    }
    String group = group(join.left);
    return "SELECT %s AS grp, COUNT(*) AS n, %s FROM %s WHERE %s GROUP BY %s ORDER BY n DESC"
        .formatted(
            group,
            aggregates(random.nextBoolean() ? join.left : join.right),
            from,
            where(random.nextBoolean() ? join.left : join.right, 1 + random.nextInt(2)),
            group);
  }

  /** Rows with their place within a group, or with a running sum. */
  private String ranking() {
    Table table = any(TABLES);
    String partition = group(table);
    String order = column(table, table.numbers.getFirst());
    String sum = column(table, table.numbers.getLast());
    String frame = "ROWS BETWEEN %d PRECEDING AND CURRENT ROW".formatted(1 + random.nextInt(5));
    String over = "OVER (PARTITION BY " + partition + " ORDER BY " + order;
    return "SELECT %s, RANK() %s) AS place, SUM(%s) %s %s) AS runningSum FROM %s WHERE %s"
        .formatted(columns(table), over, sum, over, frame, from(table), where(table, 1));
  }

  /** Numbers put into words. */
  private String buckets() {
    Table table = any(TABLES);
    String number = column(table, any(table.numbers));
    StringBuilder cases = new StringBuilder("CASE");
    int bound = random.nextInt(20);
    for (int i = 0; i < 1 + random.nextInt(6); i++) {
      cases.append(" WHEN %s < %d THEN 'up to %d'".formatted(number, bound, bound));
      bound += 1 + random.nextInt(90);
    }
    return "SELECT %s, %s ELSE 'more' END AS bucket, %s * %d + %d AS scaled FROM %s WHERE %s"
        .formatted(
            columns(table),
            cases,
            number,
            1 + random.nextInt(9),
            random.nextInt(99),
            from(table),
            where(table, 1));
  }

  /** Customers by what they ordered or did not. */
  private String semiJoin() {
    String not = random.nextInt(4) == 0 ? "NOT " : "";
    String inner = "SELECT %s FROM orders o WHERE %s".formatted("%s", where(ORDERS, 1));
    String test =
        random.nextBoolean()
            ? "c.custId IN (" + inner.replace("%s", "o.custId") + ")"
            : not + "EXISTS (" + inner.replace("%s", "1") + " AND o.custId = c.custId)";
    return "SELECT %s FROM customers c WHERE %s AND %s"
        .formatted(columns(CUSTOMERS), where(CUSTOMERS, 1), test);
  }

  /** Two tables one after the other. */
  private String union() {
    Table first = any(TABLES);
    Table second = any(TABLES);
    return """
    SELECT CAST(%s AS DOUBLE) AS a, %s AS b FROM %s WHERE %s UNION %s \
    SELECT CAST(%s AS DOUBLE), %s FROM %s WHERE %s\
    """
        .formatted(
            column(first, any(first.numbers)),
            label(first),
            from(first),
            where(first, 1),
            random.nextBoolean() ? "ALL" : "",
            column(second, any(second.numbers)),
            label(second),
            from(second),
            where(second, 1));
  }

  /** Customers with what they spent. */
  private String withSpending() {
    return """
    WITH spending AS (SELECT o.custId, %s AS spent, COUNT(*) AS n FROM orders o WHERE %s \
    GROUP BY o.custId) \
    SELECT %s, x.spent, x.n FROM customers c LEFT JOIN spending x ON c.custId = x.custId \
    WHERE %s ORDER BY x.spent LIMIT %d\
    """
        .formatted(
            aggregate(ORDERS),
            where(ORDERS, 1),
            columns(CUSTOMERS),
            where(CUSTOMERS, 1),
            5 + random.nextInt(20));
  }

  private String where(Table table, int count) {
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (table.texts.isEmpty() || random.nextInt(3) > 0) {
        conditions.add(
            "%s %s %d"
                .formatted(
                    column(table, any(table.numbers)),
                    COMPARISONS[random.nextInt(COMPARISONS.length)],
                    random.nextInt(200)));
      } else {
        conditions.add(textCondition(table, any(table.texts)));
      }
    }
    return "(" + String.join(random.nextInt(4) == 0 ? " OR " : " AND ", conditions) + ")";
  }

  private String textCondition(Table table, Text text) {
    String column = column(table, text.name);
    String value = text.values[random.nextInt(text.values.length)];
    return switch (random.nextInt(4)) {
      case 0 -> column + " = '" + value + "'";
      case 1 -> column + " <> '" + value + "'";
      case 2 -> column + " LIKE '" + value.charAt(0) + "%'";
      default -> column + " IN ('" + value + "', '" + text.values[0] + "')";
    };
  }

  /** Some columns, and now and then what is computed from one. */
  private String columns(Table table) {
    List<String> names = new ArrayList<>(table.numbers);
    table.texts.forEach(text -> names.add(text.name));
    Collections.shuffle(names, random);
    List<String> columns = new ArrayList<>();
    for (String name : names.subList(0, 1 + random.nextInt(names.size()))) {
      columns.add(column(table, name));
    }
    if (random.nextInt(3) == 0) {
      columns.add(label(table) + " AS label");
    }
    return String.join(", ", columns);
  }

  /** An expression of text. */
  private String label(Table table) {
    if (table.texts.isEmpty()) {
      return "CAST(" + column(table, any(table.numbers)) + " AS VARCHAR)";
    }
    String column = column(table, any(table.texts).name);
    return switch (random.nextInt(4)) {
      case 0 -> "UPPER(" + column + ")";
      case 1 -> "SUBSTRING(" + column + ", 1, " + (1 + random.nextInt(4)) + ")";
      case 2 -> column + " || '-" + random.nextInt(99) + "'";
      default -> "COALESCE(" + column + ", 'none " + random.nextInt(9) + "')";
    };
  }

  private String group(Table table) {
    return column(table, table.texts.isEmpty() ? any(table.numbers) : any(table.texts).name);
  }

  private String aggregates(Table table) {
    Set<String> columns = new LinkedHashSet<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      columns.add(aggregate(table) + " AS a" + i);
    }
    return String.join(", ", columns);
  }

  private String aggregate(Table table) {
    return AGGREGATES[random.nextInt(AGGREGATES.length)]
        + "("
        + column(table, any(table.numbers))
        + ")";
  }

  private static String from(Table table) {
    return table.name + " " + table.alias;
  }

  private static String column(Table table, String name) {
    return table.alias + "." + name;
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
