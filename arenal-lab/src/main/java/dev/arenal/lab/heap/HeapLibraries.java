package dev.arenal.lab.heap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The heaps that this machine has as libraries: where one is, or what to do if it is nowhere.
 *
 * <p>A library of one's own build is named by a variable; others are looked for where distributions
 * put them. The C library's own search would also know /etc/ld.so.conf, but asking it opens the
 * library, and then it is too late for one that must be preloaded.
 *
 * @param environment variables, of which some name a library
 * @param folders the folders in which others are looked for, in that order
 */
public record HeapLibraries(Map<String, String> environment, List<Path> folders) {
  /** The variable that jemalloc takes its settings from. */
  public static final String JEMALLOC_SETTINGS = "MALLOC_CONF";

  /** Keeps copies. */
  public HeapLibraries {
    environment = Map.copyOf(environment);
    folders = List.copyOf(folders);
  }

  /** Those of this machine. */
  public static HeapLibraries ofThisMachine() {
    return new HeapLibraries(System.getenv(), usualFolders(System.getProperty("os.arch")));
  }

  /**
   * The allocators of these that can run here.
   *
   * @throws IOException if a variable names a file that is not there
   */
  public <U extends HeapUser> List<U> installed(Collection<U> kinds) throws IOException {
    List<U> installed = new ArrayList<>();
    for (U kind : kinds) {
      if (missing(kind) == null) {
        installed.add(kind);
      }
    }
    return installed;
  }

  /** A line for each allocator of these that is left out, with what to do about it. */
  public List<String> leftOut(Collection<? extends HeapUser> kinds) throws IOException {
    List<String> lines = new ArrayList<>();
    for (HeapUser kind : kinds) {
      String missing = missing(kind);
      if (missing != null) {
        lines.add("%s is left out: %s".formatted(kind.label(), missing));
      }
    }
    return lines;
  }

  private @Nullable String missing(HeapUser kind) throws IOException {
    String missing = kind.missing();
    return missing == null && kind.isLibrary() && find(kind).isEmpty() ? howToGet(kind) : missing;
  }

  /**
   * Makes sure that an allocator can run here.
   *
   * @throws IOException if it cannot, with what to do about it
   */
  public void check(HeapUser kind) throws IOException {
    String missing = kind.missing();
    if (missing != null) {
      throw new IOException(
          "allocator cannot run here: allocator=%s, %s".formatted(kind.label(), missing));
    }
    if (kind.isLibrary()) {
      var _ = require(kind);
    }
  }

  /**
   * The library of one of them.
   *
   * @throws IOException if it is not installed, with what to do about it
   */
  public Path require(HeapUser kind) throws IOException {
    return find(kind)
        .orElseThrow(() ->
            new IOException(
                "allocator is not installed: allocator=%s, %s"
                    .formatted(kind.label(), howToGet(kind))));
  }

  /**
   * A line for each of these allocators that variables of the user's set up. They are left as they
   * are: a user that sets them wants to know their effect.
   */
  public List<String> settings(Collection<? extends HeapUser> kinds) {
    List<String> lines = new ArrayList<>();
    for (HeapUser kind : kinds) {
      List<String> settings =
          environment.entrySet().stream()
              .filter(variable -> isSetting(kind, variable.getKey()))
              .map(variable -> variable.getKey() + "=" + variable.getValue())
              .sorted()
              .toList();
      if (!settings.isEmpty()) {
        lines.add(
            "%s runs with the settings of this environment: %s"
                .formatted(kind.label(), String.join(", ", settings)));
      }
    }
    return lines;
  }

  private static boolean isSetting(HeapUser kind, String variable) {
    return switch (kind.heap()) {
      case null -> false;
      case JEMALLOC -> variable.equals(JEMALLOC_SETTINGS);
      case MIMALLOC -> variable.startsWith("MIMALLOC_");
      case MALLOC ->
          variable.equals("GLIBC_TUNABLES")
              || (variable.startsWith("MALLOC_") && !variable.equals(JEMALLOC_SETTINGS));
    };
  }

  /** The library of one of them, if it is installed. */
  public Optional<Path> find(HeapUser kind) throws IOException {
    Names names = Names.of(kind);
    String given = environment.getOrDefault(names.variable(), "");
    if (!given.isBlank()) {
      Path path = Path.of(given);
      if (!Files.isRegularFile(path)) {
        throw new IOException(
            "no such library: %s=%s (expected the path of a library with %s, or no such variable)"
                .formatted(names.variable(), given, kind.label()));
      }
      return Optional.of(path.toAbsolutePath());
    }
    for (String file : names.files()) {
      for (Path folder : folders) {
        if (Files.isRegularFile(folder.resolve(file))) {
          return Optional.of(folder.resolve(file));
        }
      }
    }
    return Optional.empty();
  }

  /** The variable that names the library of one of them. */
  public static String variable(HeapUser kind) {
    return Names.of(kind).variable();
  }

  /**
   * The libraries of these allocators that are installed, by their variables: for a program that
   * opens them itself.
   */
  public Map<String, String> variables(Collection<? extends HeapUser> kinds) throws IOException {
    Map<String, String> variables = new HashMap<>();
    for (HeapUser kind : kinds) {
      if (kind.isLibrary()) {
        find(kind).ifPresent(path -> variables.put(variable(kind), path.toString()));
      }
    }
    return variables;
  }

  private static String howToGet(HeapUser kind) {
    Names names = Names.of(kind);
    return "no %s in the usual folders (install the package %s, or set %s to the path of a build)"
        .formatted(String.join(" or ", names.files()), names.packages(), names.variable());
  }

  /** Folders in the order in which they are looked through: one's own before the system's. */
  private static List<Path> usualFolders(String architecture) {
    List<Path> folders = new ArrayList<>();
    for (String folder : System.getenv().getOrDefault("LD_LIBRARY_PATH", "").split(":", -1)) {
      if (!folder.isBlank()) {
        folders.add(Path.of(folder).toAbsolutePath());
      }
    }
    String triplet = (architecture.equals("amd64") ? "x86_64" : architecture) + "-linux-gnu";
    for (String prefix : List.of("/usr/local", "/usr", "")) {
      for (String name : List.of("lib/" + triplet, "lib64", "lib")) {
        folders.add(Path.of(prefix + "/" + name));
      }
    }
    return folders;
  }

  /** How a library is called: by files, best first, by packages, and by our variable. */
  private record Names(String variable, String packages, List<String> files) {
    static Names of(HeapUser kind) {
      return switch (kind.heap()) {
        case JEMALLOC ->
            new Names(
                "ARENAL_JEMALLOC",
                "libjemalloc2 (Debian, Ubuntu) or jemalloc",
                List.of("libjemalloc.so.2", "libjemalloc.so"));
        case MIMALLOC ->
            new Names(
                "ARENAL_MIMALLOC",
                "libmimalloc2.0 (Debian, Ubuntu), libmimalloc3 or mimalloc",
                List.of("libmimalloc.so.3", "libmimalloc.so.2", "libmimalloc.so"));
        case null, default ->
            throw new IllegalArgumentException("no library: allocator=" + kind.label());
      };
    }
  }
}
