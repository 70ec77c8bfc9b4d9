package dev.arenal.corpus.felix.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** A feature of a tenant: goods that travel as JSON, bound by Jackson. */
public final class Catalogue implements IntFunction<String> {
  private final ObjectMapper mapper =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  /** A kind of goods. */
  public enum Kind {
    BOOK,
    TOOL,
    FOOD
  }

  /** An item on sale. */
  public record Item(String name, Kind kind, double price, List<String> tags) {}

  /** All of a tenant's goods. */
  public static final class Goods {
    public List<Item> items = new ArrayList<>();
    public Map<String, Integer> stock = new TreeMap<>();
  }

  @Override
  public String apply(int request) {
    try {
      Goods goods = goods(request % 7 + 1);
      String text = mapper.writeValueAsString(goods);
      if (request % 3 == 0) {
        JsonNode tree = mapper.readTree(text);
        ArrayNode items = (ArrayNode) tree.get("items");
        items.addObject().put("name", "voucher").put("kind", "FOOD").put("price", request);
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
      }
      Goods back = mapper.readValue(text, Goods.class);
      return back.items.size() + " " + back.stock;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Goods goods(int count) {
    Goods goods = new Goods();
    for (int i = 0; i < count; i++) {
      Kind kind = Kind.values()[i % Kind.values().length];
      goods.items.add(new Item("item" + i, kind, 1.5 * i, List.of("new", "tag" + i)));
      goods.stock.merge(kind.name(), i, Integer::sum);
    }
    return goods;
  }
}
