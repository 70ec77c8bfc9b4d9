package dev.arenal.corpus.builds;

import dev.arenal.corpus.common.ClassPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** The daemon's loaders of tools: one per project and tool, the least recently used go first. */
final class Loaders {
  private final int most;
  private final Map<Key, URLClassLoader> loaders = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(int project, Tool tool) {}

  Loaders(int most) {
    this.most = most;
  }

  URLClassLoader get(int project, Tool tool) {
    URLClassLoader loader = loaders.computeIfAbsent(new Key(project, tool), key -> load(tool));
    while (loaders.size() > most) {
      close(loaders.remove(loaders.keySet().iterator().next()));
    }
    return loader;
  }

  /** A project's build script has changed: its tools have to be loaded anew. */
  void drop(int project) {
    for (Key key : new ArrayList<>(loaders.keySet())) {
      if (key.project() == project) {
        close(loaders.remove(key));
      }
    }
  }

  void dropAll() {
    loaders.values().forEach(Loaders::close);
    loaders.clear();
  }

  /** A loader outside of the cache. */
  static URLClassLoader load(Tool tool) {
    return new URLClassLoader(
        tool.name(),
        ClassPath.urls(ClassPath.find(tool.artifacts())),
        ClassLoader.getPlatformClassLoader());
  }

  static void close(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
