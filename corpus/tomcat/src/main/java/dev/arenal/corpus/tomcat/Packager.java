package dev.arenal.corpus.tomcat;

import dev.arenal.corpus.common.ClassPath;
import dev.arenal.corpus.tomcat.app.VisitFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Packs releases of the applications as unpacked web archives: the classes of the servlets and of
 * the model in WEB-INF/classes, the libraries in WEB-INF/lib.
 */
final class Packager {
  private static final String DESCRIPTOR =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
        <display-name>%s</display-name>
        <!-- None of the libraries has a fragment: the server need not look at them. -->
        <absolute-ordering/>
        <servlet>
          <servlet-name>default</servlet-name>
          <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
        </servlet>
        <servlet-mapping>
          <servlet-name>default</servlet-name>
          <url-pattern>/</url-pattern>
        </servlet-mapping>
        <session-config>
          <session-timeout>30</session-timeout>
        </session-config>
      </web-app>
      """;

  private final Path folder;

  Packager(Path folder) {
    this.folder = folder;
  }

  /** Packs a release; its model has grown since the first one. */
  Path pack(Kind kind, int version) throws IOException {
    Path root = folder.resolve(kind.name() + version);
    Path information = Files.createDirectories(root.resolve("WEB-INF"));
    Path classes = Files.createDirectories(information.resolve("classes"));
    Path libraries = Files.createDirectories(information.resolve("lib"));
    Files.writeString(information.resolve("web.xml"), DESCRIPTOR.formatted(kind.name()));
    for (Class<?> servlet : kind.servlets) {
      copyClasses(servlet, classes);
      for (String name : (String[]) constant(servlet, "LIBRARIES")) {
        copyLibrary(name, libraries);
      }
    }
    copyClasses(VisitFilter.class, classes);
    Map<String, byte[]> beans =
        new BeanWriter(kind.ordinal()).write(kind.beans + version * kind.beans / 20);
    for (Map.Entry<String, byte[]> bean : beans.entrySet()) {
      Path file = classes.resolve(bean.getKey().replace('.', '/') + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, bean.getValue());
    }
    Files.write(information.resolve("beans.txt"), beans.keySet());
    return root;
  }

  private static Object constant(Class<?> type, String name) {
    try {
      return type.getField(name).get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Copies the file of a class and those of its nested classes. */
  private static void copyClasses(Class<?> type, Path classes) throws IOException {
    List<Class<?>> types = new ArrayList<>(List.of(type.getDeclaredClasses()));
    types.add(type);
    for (Class<?> each : types) {
      String file = each.getName().replace('.', '/') + ".class";
      Path target = classes.resolve(file);
      Files.createDirectories(target.getParent());
      try (InputStream in = each.getClassLoader().getResourceAsStream(file)) {
        Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Copies a library from the class path: a web application finds its own copy first. */
  private static void copyLibrary(String name, Path libraries) throws IOException {
    Path jar = ClassPath.find(name);
    Files.copy(jar, libraries.resolve(jar.getFileName()), StandardCopyOption.REPLACE_EXISTING);
  }
}
