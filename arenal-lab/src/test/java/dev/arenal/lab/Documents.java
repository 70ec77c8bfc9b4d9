package dev.arenal.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The documents of the repository: those in its folder, and all below docs. */
final class Documents {
  private Documents() {}

  static List<Path> all() throws IOException {
    List<Path> documents = new ArrayList<>();
    try (Stream<Path> files = Files.list(root())) {
      files.filter(Documents::isDocument).forEach(documents::add);
    }
    try (Stream<Path> files = Files.walk(root().resolve("docs"))) {
      files.filter(Documents::isDocument).forEach(documents::add);
    }
    return documents;
  }

  private static boolean isDocument(Path file) {
    return file.toString().endsWith(".md");
  }

  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("LICENSE"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no LICENSE in this folder or above it");
    }
    return folder;
  }
}
