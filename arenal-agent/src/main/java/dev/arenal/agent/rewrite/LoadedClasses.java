package dev.arenal.agent.rewrite;

import dev.arenal.agent.runtime.ConfinedArenas;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Rewrites the classes that were loaded before the agent was. */
@SuppressWarnings("ReferenceEquality") // which loader it is, whatever its equals says
public final class LoadedClasses {
  /** Enough that the one class more in each set does not matter. */
  private static final int ROUND_COUNT = 3;

  private static final int CLASSES_PER_LOOK = 200;

  private static final ClassLoader PLATFORM_LOADER = ClassLoader.getPlatformClassLoader();

  private final Instrumentation instrumentation;
  private final SiteTransformer transformer;
  private final Set<Class<?>> known = Collections.newSetFromMap(new IdentityHashMap<>());
  private final IdentityHashMap<ClassLoader, Boolean> isSeeing = new IdentityHashMap<>();

  /** Goes through the JVM's loaded classes with a transformer that it knows already. */
  public LoadedClasses(Instrumentation instrumentation, SiteTransformer transformer) {
    this.instrumentation = instrumentation;
    this.transformer = transformer;
  }

  /** Rewrites them; those that are loaded meanwhile too. */
  public void rewrite() {
    // A class that was on its way when the transformer came shows up a little later; later ones
    // meet the transformer anyway.
    for (int round = 0; round < ROUND_COUNT; round++) {
      List<Class<?>> fresh = fresh();
      for (int from = 0; from < fresh.size(); from += CLASSES_PER_LOOK) {
        List<Class<?>> some = fresh.subList(from, Math.min(fresh.size(), from + CLASSES_PER_LOOK));
        withSites(some).forEach(this::rewrite);
      }
    }
  }

  private List<Class<?>> fresh() {
    List<Class<?>> fresh = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      ClassLoader loader = type.getClassLoader();
      if (loader != null
          && loader != PLATFORM_LOADER
          && !type.isArray()
          && known.add(type)
          && instrumentation.isModifiableClass(type)
          && !SiteTransformer.isOwn(type.getName().replace('.', '/'))) {
        fresh.add(type);
      }
    }
    return fresh;
  }

  /**
   * Those of them that may have sites. The JVM links what it shows, and shows none behind a class
   * that cannot be linked: then each is looked at alone, and counts as one with sites if it is not
   * shown.
   */
  private List<Class<?>> withSites(List<Class<?>> types) {
    Look look = look(types);
    if (look.seenCount() == types.size()) {
      return look.withSites();
    }
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> type : types) {
      Look alone = look(List.of(type));
      found.addAll(alone.seenCount() == 1 ? alone.withSites() : List.of(type));
    }
    return found;
  }

  private Look look(List<Class<?>> types) {
    Look look = new Look(Thread.currentThread());
    Class<?>[] shown = types.toArray(new Class<?>[types.size() + 1]);
    shown[types.size()] = Look.Refused.class;
    transformer.beginLook(look);
    try {
      instrumentation.retransformClasses(shown);
    } catch (Throwable _) {
      // As it must be.
    } finally {
      transformer.endLook();
    }
    return look;
  }

  private void rewrite(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    try {
      boolean sees = isSeeing.computeIfAbsent(loader, LoadedClasses::sees);
      transformer.setSeeing(sees ? loader : null);
      instrumentation.retransformClasses(type);
    } catch (Throwable e) {
      transformer.refused(type, e);
    } finally {
      transformer.setSeeing(null);
    }
  }

  /** Asks the loader, which may run code of the program: no lock is held here. */
  private static boolean sees(ClassLoader loader) {
    try {
      return Class.forName(ConfinedArenas.class.getName(), false, loader) == ConfinedArenas.class;
    } catch (Throwable _) {
      return false;
    }
  }
}
