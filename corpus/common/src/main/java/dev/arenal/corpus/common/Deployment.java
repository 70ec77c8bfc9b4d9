package dev.arenal.corpus.common;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A service with its libraries in a loader of its own, as in an application server, and with a
 * thread of its own: thread locals that the libraries set go with the thread.
 *
 * @param <T> a type of the JDK, by which the service is known outside of its loader
 */
public final class Deployment<T> implements AutoCloseable {
  private final URLClassLoader loader;
  private final ExecutorService thread;
  private final T service;

  /** Something that a service does. */
  @FunctionalInterface
  public interface Task<T> {
    void run(T service) throws Exception;
  }

  /** Loads the service's class, by its name, and makes an instance by its only constructor. */
  public Deployment(String name, Class<T> type, String className, Object... arguments)
      throws Exception {
    loader =
        new URLClassLoader(
            name, ClassPath.urls(ClassPath.all()), ClassLoader.getPlatformClassLoader());
    thread =
        Executors.newSingleThreadExecutor(task -> {
          Thread made = new Thread(task, name);
          made.setContextClassLoader(loader);
          made.setDaemon(true);
          return made;
        });
    service =
        inside(() ->
            type.cast(loader.loadClass(className).getConstructors()[0].newInstance(arguments)));
  }

  /** Lets the service do something in its thread, to the end. */
  public void run(Task<? super T> task) throws Exception {
    inside(() -> {
      task.run(service);
      return null;
    });
  }

  /** The loader, to see whether it is unloaded. */
  public WeakReference<ClassLoader> loader() {
    return new WeakReference<>(loader);
  }

  /** Closes the service, if it can be closed, and what it lived in. */
  @Override
  public void close() throws Exception {
    if (service instanceof AutoCloseable closeable) {
      run(ignored -> closeable.close());
    }
    thread.close();
    loader.close();
  }

  private <R> R inside(Callable<R> call) throws Exception {
    try {
      return thread.submit(call).get();
    } catch (ExecutionException e) {
      throw new IOException("failed: deployment=" + loader.getName(), e.getCause());
    }
  }
}
