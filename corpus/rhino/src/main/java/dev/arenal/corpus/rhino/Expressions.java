package dev.arenal.corpus.rhino;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Draws the parts of rules: conditions on an order, on a line of it, and amounts. */
final class Expressions {
  private static final List<String> COUNTRIES =
      List.of("DE", "AT", "CH", "FR", "IT", "ES", "NL", "BE", "DK", "SE", "PL", "CZ", "US", "CA");
  private static final List<String> CATEGORIES =
      List.of("books", "toys", "garden", "music", "food", "shoes", "tools", "lamps", "paper");
  private static final List<String> TIERS = List.of("new", "bronze", "silver", "gold", "staff");
  private static final List<String> CHANNELS = List.of("web", "app", "phone", "store", "partner");
  private static final List<String> COUPONS = List.of("SPRING", "VIP", "BACK", "HELLO", "SUMMER");

  private final RandomGenerator random;

  Expressions(RandomGenerator random) {
    this.random = random;
  }

  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  <T> T oneOf(List<T> things) {
    return things.get(random.nextInt(things.size()));
  }

  String country() {
    return oneOf(COUNTRIES);
  }

  String category() {
    return oneOf(CATEGORIES);
  }

  String tier() {
    return oneOf(TIERS);
  }

  String channel() {
    return oneOf(CHANNELS);
  }

  String coupon() {
    return oneOf(COUPONS);
  }

  /** A decimal number with two places. */
  String amount(int least, int most) {
    return String.format(Locale.ROOT, "%.2f", random.nextDouble(least, most));
  }

  /** A condition on an order, of up to as many parts. */
  String onOrder(int parts) {
    if (parts > 1 && random.nextInt(3) > 0) {
      int left = between(1, parts - 1);
      String operator = random.nextBoolean() ? " && " : " || ";
      return "(" + onOrder(left) + operator + onOrder(parts - left) + ")";
    }
    return switch (random.nextInt(10)) {
      case 0 -> "order.total > " + amount(10, 900);
      case 1 -> "order.country === '" + country() + "'";
      case 2 -> "['" + country() + "', '" + country() + "'].indexOf(order.country) >= 0";
      case 3 -> "order.customer.tier === '" + tier() + "'";
      case 4 -> "order.lines.length >= " + between(2, 7);
      case 5 -> "order.lines.some(line => " + onLine() + ")";
      case 6 -> "order.coupon && /^" + coupon() + "\\d{2,}$/.test(order.coupon)";
      case 7 -> "order.channel !== '" + channel() + "'";
      case 8 -> "order.customer.orders < " + between(1, 40);
      default -> "daysBetween(order.customer.since, order.placed) > " + between(10, 900);
    };
  }

  /** A condition on a line of an order. */
  String onLine() {
    return switch (random.nextInt(6)) {
      case 0 -> "line.category === '" + category() + "'";
      case 1 -> "line.quantity >= " + between(2, 9);
      case 2 -> "line.price < " + amount(3, 120);
      case 3 -> "line.weight > " + between(100, 4000);
      case 4 ->
          "line.sku.startsWith('" + category().substring(0, 2).toUpperCase(Locale.ROOT) + "')";
      default -> "host.stock(line.sku) < " + between(1, 60);
    };
  }

  /** A number that depends on an order. */
  String onAmount() {
    return switch (random.nextInt(7)) {
      case 0 -> "order.total * " + amount(0, 1);
      case 1 -> "sum(order.lines, line => line.price * line.quantity)";
      case 2 -> "sum(order.lines.filter(line => " + onLine() + "), line => line.quantity)";
      case 3 -> "Math.min(order.total, " + amount(20, 400) + ")";
      case 4 -> "Math.max(" + amount(0, 9) + ", order.lines.length * " + amount(0, 3) + ")";
      case 5 -> "order.total * host.rate(order.currency)";
      default -> amount(1, 60);
    };
  }
}
