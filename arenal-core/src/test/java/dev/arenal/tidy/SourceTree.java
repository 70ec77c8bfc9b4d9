package dev.arenal.tidy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The text files of the repository, without what the build or an editor made. */
final class SourceTree {
  private static final Set<String> HIDDEN_BUT_OURS = Set.of(".ci", ".mvn", ".github");

  private SourceTree() {}

  /** The folder of the parent, from wherever the tests run. */
  static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("LICENSE"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("no LICENSE in this folder or above it: " + Path.of(""));
      }
      folder = parent;
    }
    return folder;
  }

  /** Path, relative and with slashes, to text; files that are not UTF-8 text are left out. */
  static Map<String, String> textFiles(Path root) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skip =
                name.equals("target") || (name.startsWith(".") && !HIDDEN_BUT_OURS.contains(name));
            return skip && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            // In a worktree .git is a file.
            if (attributes.isRegularFile() && !file.getFileName().toString().equals(".git")) {
              try {
                String path = root.relativize(file).toString().replace('\\', '/');
                texts.put(path, Files.readString(file));
              } catch (CharacterCodingException binary) {
                // Not for people to read, so not for these rules.
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return texts;
  }
}
