package dev.arenal.corpus.calcite;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;

/**
 * A version of the query service with Calcite in a loader of its own, as in an application server,
 * and with a thread of its own: what Calcite leaves in a thread's locals goes with the thread.
 */
final class Deployment implements AutoCloseable {
  private final URLClassLoader loader;
  private final ExecutorService thread;
  private final IntConsumer service;

  Deployment(int version) throws Exception {
    loader =
        new URLClassLoader("service-" + version, classPath(), ClassLoader.getPlatformClassLoader());
    thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, "service-" + version);
              made.setContextClassLoader(loader);
              made.setDaemon(true);
              return made;
            });
    service =
        inside(
            () ->
                (IntConsumer)
                    loader
                        .loadClass(QueryService.class.getName())
                        .getConstructor(Integer.class)
                        .newInstance(version));
  }

  /** The loader, to see whether it is unloaded. */
  WeakReference<ClassLoader> loader() {
    return new WeakReference<>(loader);
  }

  /** Answers a request before it returns. */
  void answer(int request) throws Exception {
    inside(
        () -> {
          service.accept(request);
          return null;
        });
  }

  @Override
  public void close() throws Exception {
    inside(
        () -> {
          ((AutoCloseable) service).close();
          return null;
        });
    thread.close();
    loader.close();
  }

  private <T> T inside(Callable<T> call) throws Exception {
    try {
      return thread.submit(call).get();
    } catch (ExecutionException e) {
      throw new IOException("failed in " + loader.getName(), e.getCause());
    }
  }

  private static URL[] classPath() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(new File(entry).toURI().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
