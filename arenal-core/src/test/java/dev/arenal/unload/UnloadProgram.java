package dev.arenal.unload;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A server that deploys an application with the library several times: each time in a class loader
 * that shares nothing with the others but the JDK. Says for each whether the loader has gone.
 */
final class UnloadProgram {
  private static final int ROUNDS = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private UnloadProgram() {}

  public static void main(String[] args) throws Exception {
    for (String parts : args) {
      StringBuilder line = new StringBuilder(parts).append(':');
      for (int round = 0; round < ROUNDS; round++) {
        WeakReference<ClassLoader> loader = deploy(parts);
        line.append(isCollected(loader) ? " gone" : " stays");
      }
      System.out.println(line);
    }
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
    List<URL> urls = new java.util.ArrayList<>();
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
