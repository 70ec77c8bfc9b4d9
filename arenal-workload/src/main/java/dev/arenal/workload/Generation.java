package dev.arenal.workload;

import java.util.ArrayList;
import java.util.List;

/** Loaders that are released together. */
final class Generation {
  private final List<Loader> loaders = new ArrayList<>();

  /** Creates the loaders of all generations and lets them load all classes, turn by turn. */
  static List<Generation> load(Options options, List<byte[]> classes)
      throws ClassNotFoundException {
    List<Generation> generations = new ArrayList<>();
    for (int i = 0; i < options.generationCount(); i++) {
      generations.add(new Generation());
    }
    List<Loader> all = new ArrayList<>();
    for (int i = 0; i < options.generationCount() * options.loaderCount(); i++) {
      Loader loader = new Loader(classes);
      generations.get(i % options.generationCount()).loaders.add(loader);
      all.add(loader);
    }
    int perTurnCount = options.classesPerTurn();
    for (int first = 0; first < classes.size(); first += perTurnCount) {
      int end = Math.min(first + perTurnCount, classes.size());
      for (Loader loader : all) {
        for (int i = first; i < end; i++) {
          Class.forName(GeneratedClasses.nameOf(i), false, loader);
        }
      }
    }
    return generations;
  }

  /** A loader of the generated classes; all others come from the boot loader. */
  private static final class Loader extends ClassLoader {
    private final List<byte[]> classes;

    Loader(List<byte[]> classes) {
      super(null);
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.startsWith(GeneratedClasses.PREFIX)) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes =
          classes.get(Integer.parseInt(name.substring(GeneratedClasses.PREFIX.length())));
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
