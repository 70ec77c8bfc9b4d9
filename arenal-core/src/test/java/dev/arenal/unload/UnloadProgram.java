package dev.arenal.unload;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A server that deploys an application with the library several times: each time in a class loader
 * that shares nothing with the others but the JDK. Says for each whether the loader has gone.
 *
 * <p>All of a round are deployed before any loader is waited for: the library's thread ends a
 * second after its last owner, and these seconds pass together.
 */
final class UnloadProgram {
  private static final int ROUNDS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private UnloadProgram() {}

  public static void main(String[] args) throws Exception {
    List<StringBuilder> lines = new ArrayList<>();
    for (String parts : args) {
      lines.add(new StringBuilder(parts).append(':'));
    }
    for (int round = 0; round < ROUNDS; round++) {
      List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
      for (String parts : args) {
        loaders.add(deploy(parts));
      }
      for (int i = 0; i < args.length; i++) {
        lines.get(i).append(isCollected(loaders.get(i)) ? " gone" : " stays");
      }
    }
    lines.forEach(System.out::println);
  }

  /** As a server does: with the loader of the application as that of the context. */
  private static WeakReference<ClassLoader> deploy(String parts) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader());
    try {
      thread.setContextClassLoader(loader);
      Class<?> type = loader.loadClass("dev.arenal.unload.Application");
      if (!loader.equals(type.getClassLoader())) {
        throw new AssertionError("not in the loader of its own: " + type);
      }
      ((Runnable) type.getConstructor(String.class).newInstance(parts)).run();
      return new WeakReference<>(loader);
    } finally {
      thread.setContextClassLoader(before);
      if (!parts.equals("lost")) { // what warns of it comes later, and has classes to load
        loader.close();
      }
    }
  }

  private static URL[] urls() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String path :
        System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
      urls.add(Path.of(path).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  private static boolean isCollected(WeakReference<ClassLoader> loader)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!loader.refersTo(null)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      System.gc();
      Thread.sleep(20);
    }
    return true;
  }
}
