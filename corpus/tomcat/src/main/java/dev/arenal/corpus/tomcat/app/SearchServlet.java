package dev.arenal.corpus.tomcat.app;

import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.Range;
import com.google.common.collect.TreeRangeMap;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.hash.Hashing;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Answers with what an index has for a word, by Guava's collections, cache and hashes. */
@WebServlet(urlPatterns = "/search", loadOnStartup = 1)
public final class SearchServlet extends HttpServlet {
  public static final String[] LIBRARIES = {"guava", "failureaccess"};
  private static final long serialVersionUID = 1;

  private final transient LoadingCache<Integer, ImmutableSetMultimap<Integer, String>> indexes =
      CacheBuilder.newBuilder().maximumSize(8).recordStats().build(CacheLoader.from(s -> index(s)));

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    int seed = Integer.parseInt(request.getParameter("seed"));
    ImmutableSetMultimap<Integer, String> index = indexes.getUnchecked(seed % 16);
    int length = 1 + seed % 5;
    Multiset<Character> letters = HashMultiset.create();
    BloomFilter<CharSequence> seen =
        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), 100);
    for (String word : index.values()) {
      word.chars().forEach(letter -> letters.add((char) letter));
      seen.put(word);
    }
    TreeRangeMap<Integer, String> sizes = TreeRangeMap.create();
    sizes.put(Range.closedOpen(0, 3), "short");
    sizes.put(Range.atLeast(3), "long");
    response.setContentType("text/plain");
    response.getWriter().println(sizes.get(length) + ": " + index.get(length));
    response.getWriter().println(Multisets.copyHighestCountFirst(letters));
    response.getWriter().println(Hashing.sha256().hashInt(seed) + " " + seen.mightContain("x"));
    response.getWriter().println(indexes.stats());
  }

  /** Words by their lengths. */
  private static ImmutableSetMultimap<Integer, String> index(int seed) {
    Random random = new Random(seed);
    String words =
        Joiner.on(", ")
            .join(random.ints(40, 0, 1 << 24).mapToObj(i -> Integer.toString(i, 36)).toList());
    ImmutableSetMultimap.Builder<Integer, String> index = ImmutableSetMultimap.builder();
    for (String word :
        ImmutableSortedSet.copyOf(Splitter.on(',').trimResults().omitEmptyStrings().split(words))) {
      index.put(word.length(), word);
    }
    return index.build();
  }
}
