package dev.arenal.corpus.rhino;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.mozilla.javascript.Script;

/**
 * The compiled scripts of all tenants. The one that was not asked for the longest goes first, and
 * with it its class and the loader of its class.
 */
final class RuleCache {

  /** A rule of a tenant. */
  record Key(int tenant, int rule) {}

  private record Compiled(int version, Script script) {}

  private final int capacity;
  private final Map<Key, Compiled> scripts = new LinkedHashMap<>(16, 0.75f, true);

  RuleCache(int capacity) {
    this.capacity = capacity;
  }

  /** The script of a rule, compiled if it is not here or was edited since. */
  Script get(Key key, int version, Function<Key, Script> compiler) {
    Compiled compiled = scripts.get(key);
    if (compiled == null || compiled.version() != version) {
      compiled = new Compiled(version, compiler.apply(key));
      scripts.put(key, compiled);
      trimTo(capacity);
    }
    return compiled.script();
  }

  /** Drops the scripts of a tenant. */
  void drop(int tenant) {
    scripts.keySet().removeIf(key -> key.tenant() == tenant);
  }

  /** Drops the oldest until few enough are left. */
  void trimTo(int most) {
    Iterator<Key> oldest = scripts.keySet().iterator();
    while (scripts.size() > most) {
      oldest.next();
      oldest.remove();
    }
  }
}
