package dev.arenal.agent.rewrite;

import dev.arenal.agent.sites.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which sites call which factory.
 *
 * @param isPooling whether there is a pool to use at all
 * @param isEverySite whether sites that are not try-with-resources use it too
 * @param isCounting whether every arena is counted, pooled or not
 * @param include classes whose sites are rewritten; all if there is no pattern
 * @param exclude classes whose sites are not
 */
public record RewriteRules(
    boolean isPooling,
    boolean isEverySite,
    boolean isCounting,
    NamePatterns include,
    NamePatterns exclude) {

  boolean covers(String className) {
    return (include.isEmpty() || include.matches(className)) && !exclude.matches(className);
  }

  /** The factory of a site; null if it stays as it is. */
  @Nullable Factory factory(Site site) {
    boolean isPooled = isPooling && (isEverySite || site.shape().isAlwaysClosed());
    if (isCounting) {
      return isPooled ? Factory.POOLED_COUNTED : Factory.JDK_COUNTED;
    }
    return isPooled ? Factory.POOLED : null;
  }

  /** Every factory a site may get, in an order that never changes. */
  List<Factory> factories() {
    return isCounting
        ? List.of(Factory.POOLED_COUNTED, Factory.JDK_COUNTED)
        : List.of(Factory.POOLED);
  }
}
