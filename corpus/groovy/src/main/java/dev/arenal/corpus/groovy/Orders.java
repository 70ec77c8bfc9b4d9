package dev.arenal.corpus.groovy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes up the orders that the rules are run on. */
final class Orders {
  private static final int MOST_LINES = 12;
  private static final String[] CITIES = {"Lyon", "Porto", "Gent", "Graz", "Bergen"};
  private static final String[] COUNTRIES = {"FR", "PT", "BE", "AT", "NO", "ES"};
  private static final String[] CHANNELS = {"web", "shop", "phone"};
  private static final String[] SEGMENTS = {"gold", "silver", "new"};
  private static final String[] CATEGORIES = {"books", "tools", "food", "toys", "garden"};
  private static final String[] NUMBERS = {
    "weight", "distance", "visits", "margin", "score", "age", "parcels"
  };

  private final Random random;

  Orders(long seed) {
    random = new Random(seed);
  }

  Map<String, Object> next() {
    Map<String, Object> order = new HashMap<>();
    for (String number : NUMBERS) {
      order.put(number, random.nextInt(600));
    }
    order.put("total", random.nextInt(1000));
    order.put("country", pick(COUNTRIES));
    order.put("city", pick(CITIES));
    order.put("channel", pick(CHANNELS));
    order.put("segment", pick(SEGMENTS));
    order.put("coupon", random.nextInt(3) == 0 ? "K" + random.nextInt(10) : null);
    List<Map<String, Object>> lines = new ArrayList<>();
    int count = 1 + random.nextInt(MOST_LINES);
    for (int i = 0; i < count; i++) {
      lines.add(
          Map.of(
              "sku",
              "S" + random.nextInt(100_000),
              "category",
              pick(CATEGORIES),
              "quantity",
              1 + random.nextInt(12),
              "price",
              BigDecimal.valueOf(100 + random.nextInt(9900), 2)));
    }
    order.put("lines", lines);
    return order;
  }

  private String pick(String[] words) {
    return words[random.nextInt(words.length)];
  }
}
