package dev.arenal.corpus.rhino;

import java.util.Random;
import java.util.StringJoiner;

/**
 * Writes the rules of tenants: prices, freight, checks, risk, routing, letters, reports. The same
 * tenant, rule and version give the same text; most are short and a few are long, as rules are.
 */
final class RuleScripts {
  private static final String LIBRARY =
      """
      const day = 86400000;
      function round(amount) { return Math.round(amount * 100) / 100; }
      function sum(things, by) { return things.reduce((total, thing) => total + by(thing), 0); }
      function daysBetween(from, to) { return (Date.parse(to) - Date.parse(from)) / day; }
      function group(things, by) {
        return things.reduce(function (groups, thing) {
          const key = by(thing);
          (groups[key] = groups[key] || []).push(thing);
          return groups;
        }, {});
      }
      """;

  private final Expressions draw;
  private final StringBuilder text = new StringBuilder();

  private RuleScripts(long seed) {
    draw = new Expressions(new Random(seed));
  }

  /** The script of a rule. */
  static String rule(int tenant, int rule, int version) {
    RuleScripts script = new RuleScripts((tenant * 1009L + rule) * 9176L + version);
    // Rules grow with every edit that their owners make.
    script.write(version);
    return script.text.toString();
  }

  /** The functions that all rules of a tenant may call. */
  static String library(int tenant) {
    RuleScripts script = new RuleScripts(~tenant);
    script.text.append(LIBRARY);
    int tables = script.draw.between(1, 12);
    for (int i = 0; i < tables; i++) {
      script.table("table" + i);
      script.line("function from%d(key) { return table%d[key] || 0; }", i, i);
    }
    script.line("const hooks = new JavaAdapter(Packages.%s, {", Host.Hooks.class.getName());
    script.line(
        "  allows: function (name, total) { return total < %d; },", script.draw.between(500, 5000));
    if (script.draw.between(0, 1) == 0) {
      script.line("  label: function (name) { return name.toUpperCase(); }");
    }
    script.line("});");
    return script.text.toString();
  }

  private void line(String format, Object... args) {
    text.append(args.length == 0 ? format : String.format(format, args)).append('\n');
  }

  private void write(int version) {
    int kind = draw.between(0, 6);
    int size = 1 + version + (draw.between(0, 3) == 0 ? draw.between(4, 24) : draw.between(0, 5));
    line("// version %d", version);
    switch (kind) {
      case 0 -> price(size);
      case 1 -> freight(size);
      case 2 -> checks(size);
      case 3 -> risk(size);
      case 4 -> routing(size);
      case 5 -> letter(size);
      default -> report(size);
    }
  }

  private void table(String name) {
    StringJoiner entries = new StringJoiner(", ", "{", "}");
    int size = draw.between(2, 9);
    for (int i = 0; i < size; i++) {
      entries.add((i % 2 == 0 ? draw.country() : draw.category()) + ": " + draw.amount(0, 30));
    }
    line("const %s = %s;", name, entries);
  }

  private void price(int size) {
    line("let price = %s;", draw.onAmount());
    for (int i = 0; i < size; i++) {
      line("function discount%d(order) {", i);
      line("  if (%s) {", draw.onOrder(3));
      line("    return round(%s);", draw.onAmount());
      line("  }");
      line("  return %s;", draw.amount(0, 2));
      line("}");
      line("price -= discount%d(order);", i);
    }
    line("hooks.allows('price', price) ? Math.max(0, round(price)) : order.total;");
  }

  private void freight(int size) {
    table("zones");
    line("function freight(order) {");
    line("  const weight = sum(order.lines, line => line.weight * line.quantity);");
    line("  switch (order.country) {");
    for (int i = 0; i < size; i++) {
      line("    case '%s%s':", draw.country(), i == 0 ? "" : i);
      line(
          "      return weight > %d ? %s : %s;",
          draw.between(100, 9000), draw.onAmount(), draw.amount(3, 40));
    }
    line("    default:");
    line("      return (zones[order.country] || %s) + weight / 1000;", draw.amount(3, 20));
    line("  }");
    line("}");
    line("%s ? 0 : round(freight(order));", draw.onOrder(2));
  }

  private void checks(int size) {
    line("const errors = [];");
    line("function check(good, field, message) {");
    line("  if (!good) { errors.push({ field: field, message: message }); }");
    line("}");
    line("check(/^[^@]+@[^@]+$/.test(order.customer.email), 'email', 'not an address');");
    for (int i = 0; i < size; i++) {
      line("check(!(%s), 'rule%d', `order ${order.id} breaks rule %d`);", draw.onOrder(3), i, i);
    }
    line("for (let line of order.lines) {");
    line("  check(%s, line.sku, 'not sold in ' + order.country);", draw.onLine());
    line("}");
    line("errors.map(error => error.field + ': ' + error.message).join('; ');");
  }

  private void risk(int size) {
    line("var score = { points: %d, reasons: [] };", draw.between(0, 10));
    line("function add(points, reason) { score.points += points; score.reasons.push(reason); }");
    line("const signals = [");
    for (int i = 0; i < size; i++) {
      line(
          "  { name: 'signal%d', weight: %s, test(order) { return %s; } },",
          i, draw.amount(1, 9), draw.onOrder(2));
    }
    line("];");
    line("signals.filter(s => s.test(order)).forEach(s => add(s.weight, s.name));");
    line("score.points > %d ? 'review: ' + score.reasons.join() : 'accept';", draw.between(5, 40));
  }

  private void routing(int size) {
    line("(function () {");
    for (int i = 0; i < size; i++) {
      line("  if (%s) {", draw.onOrder(4));
      line(
          "    return { queue: '%s-%s', priority: %d };",
          draw.channel(), draw.category(), draw.between(1, 9));
      line("  }");
    }
    line("  return { queue: hooks.label('%s'), priority: 0 };", draw.category());
    line("})().queue;");
  }

  private void letter(int size) {
    line("var text = 'Dear ' + order.customer.email.replace(/@.*$/, '') + ',\\n';");
    for (int i = 0; i < size; i++) {
      line("if (%s) {", draw.onOrder(2));
      line(
          "  text += `Your order ${order.id} of ${order.placed} about ${round(%s)} %s.\\n`;",
          draw.onAmount(), draw.category());
      line("}");
    }
    line("order.lines.forEach(function (line, i) {");
    line("  text += (i + 1) + '. ' + line.sku + (%s ? ' *' : '') + '\\n';", draw.onLine());
    line("});");
    line("text;");
  }

  private void report(int size) {
    line("const groups = group(order.lines, line => line.category);");
    line("const columns = {");
    for (int i = 0; i < size; i++) {
      line(
          "  column%d: lines => sum(lines.filter(line => %s), line => line.%s),",
          i, draw.onLine(), draw.between(0, 1) == 0 ? "quantity" : "price");
    }
    line("};");
    line("let rows = [];");
    line("for (let name in groups) {");
    line("  const row = { name: name };");
    line("  for (let column in columns) { row[column] = columns[column](groups[name]); }");
    line("  rows.push(row);");
    line("}");
    line("rows.sort((a, b) => a.name < b.name ? -1 : 1);");
    line("try { JSON.stringify(rows); } catch (e) { String(e.message); }");
  }
}
