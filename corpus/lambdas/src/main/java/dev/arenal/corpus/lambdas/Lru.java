package dev.arenal.corpus.lambdas;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** A cache that drops what was asked for the longest time ago. */
final class Lru<K, V> {
  private final int most;
  private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);

  Lru(int most) {
    this.most = most;
  }

  V get(K key, Function<K, V> maker) {
    V value = entries.get(key);
    if (value == null) {
      value = maker.apply(key);
      entries.put(key, value);
      keep(most);
    }
    return value;
  }

  V remove(K key) {
    return entries.remove(key);
  }

  /** Drops the eldest until so many are left. */
  void keep(int count) {
    Iterator<K> eldest = entries.keySet().iterator();
    while (entries.size() > count) {
      eldest.next();
      eldest.remove();
    }
  }
}
