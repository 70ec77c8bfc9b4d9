package dev.arenal.corpus.builds.worker;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;

/** Formats sources by google-java-format; each loader of the formatter has its own copy of this. */
public final class Format implements ToIntFunction<List<Path>> {
  private final Formatter formatter = new Formatter();

  @Override
  public int applyAsInt(List<Path> sources) {
    int changed = 0;
    for (Path source : sources) {
      try {
        String before = Files.readString(source);
        String after = formatter.formatSource(RemoveUnusedImports.removeUnusedImports(before));
        if (!after.equals(before)) {
          Files.writeString(source, after);
          changed++;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (FormatterException e) {
        throw new IllegalStateException("Cannot format " + source, e);
      }
    }
    return changed;
  }
}
