package dev.arenal.lab.scan;

import dev.arenal.lab.process.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what a user has named: a path that exists, or coordinates that Maven knows. */
public final class Targets implements AutoCloseable {
  private final String searchPath;
  private final boolean isWithDependencies;
  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> fetched = new HashSet<>();
  private @Nullable TemporaryFolder folder;

  /**
   * Nothing is looked for yet.
   *
   * @param searchPath the folders with programs
   * @param isWithDependencies whether coordinates stand for what the artifact needs, too
   */
  public Targets(String searchPath, boolean isWithDependencies) {
    this.searchPath = searchPath;
    this.isWithDependencies = isWithDependencies;
  }

  /** Whether it is to be fetched, which may take long. */
  public static boolean isFetched(String name) {
    return !exists(name) && Coordinates.parse(name).isPresent();
  }

  /**
   * The files that a name stands for; if none is found, that is a problem and the list is empty.
   */
  public List<Target> of(String name) throws InterruptedException {
    if (exists(name)) {
      return List.of(new Target(name, Path.of(name)));
    }
    Optional<Coordinates> coordinates = Coordinates.parse(name);
    if (coordinates.isEmpty()) {
      problems.add(
          new Problem(
              name,
              "",
              "no such file, nor coordinates (expected a class file, a jar, a folder, or"
                  + " GROUP:ARTIFACT[:PACKAGING[:CLASSIFIER]]:VERSION)"));
      return List.of();
    }
    try {
      return fetch(name, coordinates.get());
    } catch (IOException e) {
      problems.add(new Problem(name, "", Objects.requireNonNullElse(e.getMessage(), e.toString())));
      return List.of();
    }
  }

  private List<Target> fetch(String name, Coordinates coordinates)
      throws IOException, InterruptedException {
    Maven maven = Maven.find(searchPath);
    if (folder == null) {
      folder = TemporaryFolder.create("arenal-scan");
    }
    Path place = Files.createTempDirectory(folder.file(""), "");
    if (!isWithDependencies) {
      return List.of(new Target(name, maven.copy(coordinates, place)));
    }
    // A dependency of two artifacts is scanned once.
    return maven.copyWithDependencies(coordinates, place).stream()
        .filter(target -> fetched.add(target.name()))
        .toList();
  }

  private static boolean exists(String name) {
    try {
      return Files.exists(Path.of(name));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** The names that could not be found. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** Removes what has been fetched; Maven keeps a copy of its own. */
  @Override
  public void close() {
    if (folder != null) {
      folder.close();
      folder = null;
    }
  }
}
