package dev.arenal.corpus.builds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A project: its sources, which are edited between builds, and the tools that its build uses. */
final class Project {
  private static final int FEWEST_CLASSES = 4;
  private static final int MOST_CLASSES = 12;
  private static final double FORMATS = 0.7;
  private static final double CHECKS = 0.6;
  private static final double EDITED = 0.3;

  private final int number;
  private final Path folder;
  private final Kind kind;
  private final Set<Tool> tools;
  private final SortedMap<Integer, Path> sources = new TreeMap<>();
  private int classCount;

  /** The style of a project, by the annotations in its sources. */
  enum Kind {
    PLAIN(null),
    VALUES(Tool.AUTO_VALUE, "auto-value-annotations"),
    INJECTED(Tool.DAGGER, "dagger", "jakarta.inject-api", "javax.inject");

    private final Tool processor;
    private final List<String> libraries;

    Kind(Tool processor, String... libraries) {
      this.processor = processor;
      this.libraries = List.of(libraries);
    }

    Optional<Tool> processor() {
      return Optional.ofNullable(processor);
    }

    /** The artifacts that its sources are compiled against. */
    List<String> libraries() {
      return libraries;
    }
  }

  private Project(int number, Path folder, Kind kind, Set<Tool> tools, int classCount) {
    this.number = number;
    this.folder = folder;
    this.kind = kind;
    this.tools = tools;
    this.classCount = classCount;
  }

  static Project draw(int number, Path folder, Random random) {
    Set<Tool> tools = EnumSet.noneOf(Tool.class);
    if (random.nextDouble() < FORMATS) {
      tools.add(Tool.FORMAT);
    }
    if (random.nextDouble() < CHECKS) {
      tools.add(random.nextBoolean() ? Tool.CHECK_GOOGLE : Tool.CHECK_SUN);
    }
    Kind kind = Kind.values()[(number + 1) % Kind.values().length];
    int classCount = random.nextInt(FEWEST_CLASSES, MOST_CLASSES);
    return new Project(number, folder, kind, tools, classCount);
  }

  int number() {
    return number;
  }

  Kind kind() {
    return kind;
  }

  /** The tools that read sources. */
  Set<Tool> tools() {
    return tools;
  }

  /** Every third project loads its tools for each build. */
  boolean keepsLoaders() {
    return number % 3 != 2;
  }

  List<Path> sources() {
    return List.copyOf(sources.values());
  }

  Path classes() {
    return folder.resolve("classes");
  }

  String packageName() {
    return "project" + number;
  }

  /** Changes some of the sources, and now and then adds one. */
  void edit(Random random) {
    if (!sources.isEmpty() && random.nextInt(3) == 0) {
      classCount++;
    }
    Sources writer = new Sources(packageName(), kind, random);
    for (int i = 0; i < classCount; i++) {
      if (!sources.containsKey(i) || random.nextDouble() < EDITED) {
        sources.put(i, write("Part" + i, writer.part(i)));
      }
    }
    sources.put(Integer.MAX_VALUE, write("App", writer.app(classCount)));
  }

  private Path write(String name, String text) {
    Path file = folder.resolve("src", packageName(), name + ".java");
    try {
      Files.createDirectories(file.getParent());
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
