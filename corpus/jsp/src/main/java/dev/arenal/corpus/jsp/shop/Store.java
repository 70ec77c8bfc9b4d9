package dev.arenal.corpus.jsp.shop;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** The model of a webapp: the items on sale. Every webapp loads this class itself. */
public class Store {
  private static final List<String> CATEGORIES =
      List.of("books", "toys", "garden", "music", "tools");
  private static final long DAY_MILLIS = 86_400_000;
  private static final int ITEMS = 24;

  private final List<Item> items = new ArrayList<>();

  public Store() {
    Random random = new Random(7);
    for (int i = 0; i < ITEMS; i++) {
      String category = CATEGORIES.get(random.nextInt(CATEGORIES.size()));
      items.add(
          new Item(
              i,
              category.substring(0, 3) + " no. " + i,
              category,
              random.nextInt(100, 20_000) / 100.0,
              random.nextInt(50),
              new Date(1_767_225_600_000L + i * DAY_MILLIS),
              List.of(category, i % 2 == 0 ? "new" : "used")));
    }
  }

  public List<Item> getItems() {
    return items;
  }

  /** The items by their category. */
  public Map<String, List<Item>> getGroups() {
    Map<String, List<Item>> groups = new TreeMap<>();
    for (Item item : items) {
      groups.computeIfAbsent(item.getCategory(), _ -> new ArrayList<>()).add(item);
    }
    return groups;
  }

  /** The item with a number that a visitor gives; any if that is none. */
  public Item item(String id) {
    int number = id != null && id.matches("\\d{1,6}") ? Integer.parseInt(id) : 0;
    return items.get(number % items.size());
  }
}
