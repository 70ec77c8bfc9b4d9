package dev.arenal.corpus.rhino;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** The shop's side of the rules: rates and stock, and the orders that they judge. */
public final class Host {

  /** Callbacks that a tenant may override; its library does so with an adapter. */
  public interface Hooks {
    /** True if a result is in order. */
    boolean allows(String name, double total);

    /** The name of a queue. */
    default String label(String name) {
      return name + "-default";
    }
  }

  /** The rate of a currency. */
  public double rate(String currency) {
    return 1 + (currency.hashCode() & 7) / 10.0;
  }

  /** The number of an item that are left. */
  public int stock(String item) {
    return item.hashCode() & 0x7f;
  }

  /** An order as it comes in. */
  static String order(RandomGenerator random, int id) {
    Expressions draw = new Expressions(random);
    StringBuilder lines = new StringBuilder();
    int size = draw.between(1, 7);
    for (int i = 0; i < size; i++) {
      String category = draw.category();
      lines.append(i == 0 ? "" : ",");
      lines.append(
          String.format(
              Locale.ROOT,
              "{'sku':'%s%d','category':'%s','quantity':%d,'price':%s,'weight':%d}",
              category.substring(0, 2).toUpperCase(Locale.ROOT),
              draw.between(100, 999),
              category,
              draw.between(1, 9),
              draw.amount(2, 150),
              draw.between(50, 3000)));
    }
    String coupon =
        draw.between(0, 2) == 0 ? "'" + draw.coupon() + draw.between(1, 400) + "'" : null;
    String order =
        String.format(
            Locale.ROOT,
            "{'id':%d,'country':'%s','currency':'%s','channel':'%s','coupon':%s,'total':%s,"
                + "'placed':'2026-0%d-1%d','customer':{'tier':'%s','orders':%d,"
                + "'since':'202%d-05-17','email':'customer%d@example.org'},'lines':[%s]}",
            id,
            draw.country(),
            draw.between(0, 1) == 0 ? "EUR" : "USD",
            draw.channel(),
            coupon,
            draw.amount(5, 1200),
            draw.between(1, 9),
            draw.between(0, 9),
            draw.tier(),
            draw.between(0, 60),
            draw.between(0, 5),
            draw.between(1, 9999),
            lines);
    return order.replace('\'', '"');
  }
}
