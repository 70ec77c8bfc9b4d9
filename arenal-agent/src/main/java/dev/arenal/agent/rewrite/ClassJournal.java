package dev.arenal.agent.rewrite;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the changes of classes that have sites, so that they are counted once and transformed
 * again in the same way. Keeps no class loader alive, and calls no method of one.
 */
final class ClassJournal {
  /**
   * The outcome for a class when it was first seen.
   *
   * @param way how its sites get to the agent
   * @param siteCount how many of its sites were rewritten
   */
  record Entry(ClassRewrite.Way way, int siteCount) {
    static final Entry UNTOUCHED = new Entry(ClassRewrite.Way.NONE, 0);

    /** The JVM did not take it: offered again, it would fail the tool that transforms the class. */
    static final Entry REFUSED = new Entry(ClassRewrite.Way.NONE, -1);

    boolean isRefused() {
      return siteCount < 0;
    }

    /** Whether it got the bridges of {@link ClassPatch}, and must have them for ever. */
    boolean isBridged() {
      return way == ClassRewrite.Way.BRIDGE && siteCount > 0;
    }
  }

  private final Map<LoaderKey, Map<String, Entry>> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<ClassLoader> unloaded = new ReferenceQueue<>();

  /**
   * By identity: class loaders may have an equals of their own. Not weak: a loader that its
   * finalizer makes reachable again still has its classes.
   */
  private static final class LoaderKey extends PhantomReference<ClassLoader> {
    private final int hash;

    /** The loader while this is looked up; null once it is kept. */
    private @Nullable ClassLoader asked;

    LoaderKey(ClassLoader loader, @Nullable ReferenceQueue<ClassLoader> queue) {
      super(loader, queue);
      hash = System.identityHashCode(loader);
      asked = loader;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      ClassLoader loader = asked;
      return loader != null && other instanceof LoaderKey key && key.refersTo(loader);
    }
  }

  @Nullable Entry find(@Nullable ClassLoader loader, String className) {
    if (loader == null) {
      return null;
    }
    Map<String, Entry> classes = entries.get(new LoaderKey(loader, null));
    return classes == null ? null : classes.get(className);
  }

  /**
   * Says whether it is news. A class that could not be read, and whose definition failed by the
   * same, may be defined once more.
   */
  boolean note(ClassLoader loader, String className, Entry entry) {
    for (Object key = unloaded.poll(); key != null; key = unloaded.poll()) {
      var _ = entries.remove(key);
    }
    Map<String, Entry> classes = entries.get(new LoaderKey(loader, null));
    if (classes == null) {
      Map<String, Entry> fresh = new ConcurrentHashMap<>();
      LoaderKey kept = new LoaderKey(loader, unloaded);
      Map<String, Entry> other = entries.putIfAbsent(kept, fresh);
      kept.asked = null;
      classes = other == null ? fresh : other;
    }
    Entry before = classes.putIfAbsent(className, entry);
    return before == null
        || (before.equals(Entry.UNTOUCHED)
            && !entry.equals(Entry.UNTOUCHED)
            && classes.replace(className, before, entry));
  }

  /** Leaves the class alone from now on; returns its earlier changes, if it was known. */
  @Nullable Entry refuse(ClassLoader loader, String className) {
    Map<String, Entry> classes = entries.get(new LoaderKey(loader, null));
    return classes == null ? null : classes.put(className, Entry.REFUSED);
  }
}
