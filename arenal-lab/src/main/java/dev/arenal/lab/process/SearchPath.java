package dev.arenal.lab.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The folders in which programs are looked for by their names. */
public final class SearchPath {
  private SearchPath() {}

  /** The program of that name in the first of the folders that has one. */
  public static Optional<Path> find(String name, String folders) {
    return Arrays.stream(folders.split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder.isEmpty() ? "." : folder, name))
        .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
        .findFirst();
  }
}
