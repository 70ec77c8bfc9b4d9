package dev.arenal.corpus.lambdas;

import java.util.Map;
import java.util.function.IntFunction;

/** A started plugin: a class loader with its classes, and the instance that takes requests. */
final class Plugin {
  private final IntFunction<String> entry;

  Plugin(String packageName, Map<String, byte[]> classes) {
    try {
      Object instance =
          new Loader(packageName, classes)
              .loadClass(packageName + "." + PluginSource.ENTRY)
              .getConstructor()
              .newInstance();
      @SuppressWarnings("unchecked") // the source says so
      IntFunction<String> typed = (IntFunction<String>) instance;
      entry = typed;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not started: " + packageName, e);
    }
  }

  /** Answers a request. */
  String answer(int request) {
    return entry.apply(request);
  }

  /** Defines the plugin's classes when they are asked for; the JDK's come from its parent. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classes;

    Loader(String name, Map<String, byte[]> classes) {
      super(name, ClassLoader.getPlatformClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
