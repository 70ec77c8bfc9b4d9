package dev.arenal.corpus.felix.app;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Multimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.hash.Hashing;
import com.google.common.math.IntMath;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;

/** A feature of a tenant: counts visits with Guava's collections and caches. */
public final class Visits implements IntFunction<String> {
  private final LoadingCache<Integer, String> pages =
      CacheBuilder.newBuilder().maximumSize(20).recordStats().build(CacheLoader.from(Visits::page));

  @Override
  public String apply(int request) {
    String page = pages.getUnchecked(request % 30);
    Multimap<String, Integer> places = MultimapBuilder.treeKeys().arrayListValues().build();
    int at = 0;
    for (String word : Splitter.on(' ').omitEmptyStrings().trimResults().split(page)) {
      places.put(word, at++);
    }
    if (request % 2 == 0) {
      return Joiner.on(',').withKeyValueSeparator('=').join(places.asMap());
    }
    if (request % 5 == 0) {
      return Hashing.murmur3_128().hashString(page, StandardCharsets.UTF_8).toString();
    }
    ImmutableSortedMap.Builder<String, Integer> counts = ImmutableSortedMap.naturalOrder();
    places.keySet().forEach(word -> counts.put(word, places.get(word).size()));
    return counts.build() + " " + pages.stats().hitCount();
  }

  private static String page(Integer number) {
    return "page " + number + " of " + IntMath.gcd(number, 12) + " pages";
  }
}
