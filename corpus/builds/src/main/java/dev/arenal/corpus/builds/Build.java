package dev.arenal.corpus.builds;

import dev.arenal.corpus.common.ClassPath;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import javax.annotation.processing.Processor;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A build of a project: formats and checks its sources, compiles them, and tries the classes. */
final class Build implements Runnable {
  private final Project project;
  private final Loaders loaders;
  private final List<URLClassLoader> own = new ArrayList<>();

  Build(Project project, Loaders loaders) {
    this.project = project;
    this.loaders = loaders;
  }

  @Override
  public void run() {
    try {
      for (Tool tool : project.tools()) {
        inspect(tool);
      }
      compile();
      tryOut();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } finally {
      own.forEach(Loaders::close);
    }
  }

  private void inspect(Tool tool) throws ReflectiveOperationException {
    URLClassLoader loader = loader(tool);
    Thread.currentThread().setContextClassLoader(loader);
    @SuppressWarnings("unchecked") // all tools that are no processors are such
    ToIntFunction<List<Path>> worker = (ToIntFunction<List<Path>>) create(loader, tool);
    worker.applyAsInt(project.sources());
  }

  private void compile() throws IOException, ReflectiveOperationException {
    Files.createDirectories(project.classes());
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter output = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
      JavaCompiler.CompilationTask task =
          javac.getTask(
              output,
              files,
              null,
              options(),
              null,
              files.getJavaFileObjectsFromPaths(project.sources()));
      Optional<Tool> processor = project.kind().processor();
      if (processor.isPresent()) {
        URLClassLoader loader = loader(processor.get());
        task.setProcessors(List.of((Processor) create(loader, processor.get())));
      }
      if (!task.call()) {
        throw new IllegalStateException(output.toString());
      }
    }
  }

  private List<String> options() {
    String libraries =
        ClassPath.find(project.kind().libraries()).stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    List<String> options = new ArrayList<>();
    options.addAll(List.of("-d", project.classes().toString(), "-nowarn", "-parameters"));
    options.addAll(List.of("-classpath", libraries));
    if (project.kind().processor().isEmpty()) {
      options.add("-proc:none");
    }
    return options;
  }

  /** As tests do that run in the process of the build. */
  private void tryOut() throws IOException, ReflectiveOperationException {
    List<Path> path = new ArrayList<>(ClassPath.find(project.kind().libraries()));
    path.add(project.classes());
    try (URLClassLoader loader =
        new URLClassLoader(ClassPath.urls(path), ClassLoader.getPlatformClassLoader())) {
      loader
          .loadClass(project.packageName() + ".App")
          .getMethod("run", int.class)
          .invoke(null, project.number());
    }
  }

  private URLClassLoader loader(Tool tool) {
    if (project.keepsLoaders()) {
      return loaders.get(project.number(), tool);
    }
    URLClassLoader loader = Loaders.load(tool);
    own.add(loader);
    return loader;
  }

  private static Object create(URLClassLoader loader, Tool tool)
      throws ReflectiveOperationException {
    return loader.loadClass(tool.entry()).getConstructor().newInstance();
  }
}
