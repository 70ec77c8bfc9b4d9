package dev.arenal.corpus.felix.app;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.commons.collections4.Bag;
import org.apache.commons.collections4.BidiMap;
import org.apache.commons.collections4.CollectionUtils;
import org.apache.commons.collections4.IterableUtils;
import org.apache.commons.collections4.ListUtils;
import org.apache.commons.collections4.bag.TreeBag;
import org.apache.commons.collections4.bidimap.TreeBidiMap;
import org.apache.commons.collections4.map.LRUMap;
import org.apache.commons.collections4.trie.PatriciaTrie;

/** A feature of a tenant: the goods in stock. */
public final class Stock implements IntFunction<String> {
  private final LRUMap<Integer, String> last = new LRUMap<>(10);

  @Override
  public String apply(int request) {
    List<Integer> ids = IntStream.range(0, request % 20 + 1).mapToObj(i -> i * request).toList();
    last.put(request, "request" + request);
    switch (request % 4) {
      case 0 -> {
        Bag<Integer> bag = new TreeBag<>(ids);
        bag.add(request, 3);
        return bag.uniqueSet().toString();
      }
      case 1 -> {
        BidiMap<Integer, String> names = new TreeBidiMap<>();
        ids.forEach(id -> names.put(id, "n" + id));
        return names.inverseBidiMap().getKey(request) + last.size();
      }
      case 2 -> {
        PatriciaTrie<Integer> trie = new PatriciaTrie<>();
        ids.forEach(id -> trie.put("n" + id, id));
        return trie.prefixMap("n1").toString();
      }
      default -> {
        List<List<Integer>> parts = ListUtils.partition(ids, 3);
        return IterableUtils.size(IterableUtils.chainedIterable(parts.getFirst(), ids))
            + " "
            + CollectionUtils.disjunction(ids, parts.getLast());
      }
    }
  }
}
