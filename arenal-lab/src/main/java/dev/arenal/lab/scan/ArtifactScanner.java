package dev.arenal.lab.scan;

import dev.arenal.agent.sites.Site;
import dev.arenal.agent.sites.SiteFinder;
import dev.arenal.lab.process.TemporaryFolder;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** Reads every class file of an artifact; what cannot be read is noted, and the rest goes on. */
public final class ArtifactScanner {
  private static final Set<String> ARCHIVES =
      Set.of("jar", "war", "ear", "rar", "zip", "aar", "jmod", "kar", "hpi");

  /** No class file is near it: constants and methods are counted in 16 bits. */
  private static final int MAX_CLASS_BYTES = 64 << 20;

  private static final int MAX_DEPTH = 8;

  /**
   * How many bytes are unpacked of an archive, for each of its own. One of class files in archives
   * in archives takes ten or so; one that is made to fill a disk a thousand, and more where
   * archives are in each other.
   */
  private static final int MAX_EXPANSION = 100;

  private static final int COUNT_CLASSES_PER_PROGRESS = 100;
  private static final String INTO = "!/";

  private final String artifact;
  private final LongConsumer progress;
  private final List<FoundSite> sites = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private long classCount;
  private long mostUnpackedBytes;
  private long unpackedBytes;

  private ArtifactScanner(String artifact, LongConsumer progress) {
    this.artifact = artifact;
    this.progress = progress;
  }

  /**
   * Scans one artifact.
   *
   * @param progress is told now and then how many classes have been read
   */
  public static ArtifactScan scan(Target target, LongConsumer progress) {
    ArtifactScanner scanner = new ArtifactScanner(target.name(), progress);
    scanner.scan(target.path());
    // Stable: the sites of one class stay in the order of its code.
    scanner.sites.sort(Comparator.comparing(FoundSite::entry));
    return new ArtifactScan(target.name(), scanner.classCount, scanner.sites, scanner.problems);
  }

  private void scan(Path path) {
    try {
      if (Files.isDirectory(path)) {
        scanFolder(path);
        return;
      }
      String name = String.valueOf(path.getFileName());
      FileKind kind = FileKind.of(path);
      if (kind == FileKind.CLASS) {
        scanClassFile(path, name);
      } else if (kind == FileKind.ARCHIVE || (kind == FileKind.SCRIPT && isArchiveName(name))) {
        scanWholeArchive(path, "", 0);
      } else {
        problems.add(
            new Problem(
                artifact,
                "",
                "neither a class file nor a jar (expected one of them, or a folder)"));
      }
    } catch (IOException e) {
      note("", e);
    }
  }

  private void scanFolder(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            note(entryOf(folder, file), e);
            return FileVisitResult.CONTINUE;
          }
        });
    Collections.sort(files);
    for (Path file : files) {
      String entry = entryOf(folder, file);
      try {
        if (!isClass(entry) && !isArchiveName(entry)) {
          continue;
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
          throw new IOException("not a file"); // nobody may ever write into a pipe
        }
        if (isClass(entry)) {
          scanClassFile(file, entry);
        } else {
          scanWholeArchive(file, entry + INTO, 1);
        }
      } catch (IOException e) {
        note(entry, e);
      }
    }
  }

  private static String entryOf(Path folder, Path file) {
    return folder.relativize(file).toString().replace('\\', '/');
  }

  /** One that is not in another one. */
  private void scanWholeArchive(Path archive, String prefix, int depth) throws IOException {
    mostUnpackedBytes = MAX_CLASS_BYTES + MAX_EXPANSION * Files.size(archive);
    unpackedBytes = 0;
    scanArchive(archive, prefix, depth);
  }

  private void scanArchive(Path archive, String prefix, int depth) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      // Of entries with the same name a class loader sees one, and so does this.
      Set<String> names = new HashSet<>();
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (names.add(entry.getName())) {
          scanEntry(entry, prefix + entry.getName(), depth, () -> stream(zip, entry));
        }
      }
    } catch (ZipException e) {
      note(prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - INTO.length()), e);
      scanWithoutDirectory(archive, prefix, depth);
    }
  }

  /** Of an archive whose end is missing or damaged, the entries before can still be read. */
  private void scanWithoutDirectory(Path archive, String prefix, int depth) throws IOException {
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        scanEntry(entry, prefix + entry.getName(), depth, () -> new OpenEntry(zip));
      }
    } catch (ZipException | EOFException | IllegalArgumentException e) {
      // The damage that is already noted.
      progress.accept(classCount);
    }
  }

  private void scanEntry(ZipEntry entry, String name, int depth, Opening opening)
      throws TooMuchException {
    try {
      if (entry.isDirectory()) {
        return;
      }
      if (isClass(name)) {
        try (InputStream in = new Unpacked(opening.open())) {
          scanClass(name, in);
        }
      } else if (isArchiveName(name)) {
        scanNested(opening, name, depth + 1);
      }
    } catch (TooMuchException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // Whatever is wrong with an entry, the others are read.
      note(name, e);
    }
  }

  /** A jar in a jar is unpacked beside, since only a file has a directory that can be trusted. */
  private void scanNested(Opening opening, String name, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw new IOException(
          "too many archives in each other: depth=%s (expected at most %s)"
              .formatted(depth, MAX_DEPTH));
    }
    try (TemporaryFolder folder = TemporaryFolder.create("arenal-scan")) {
      Path copy = folder.file("nested.jar");
      try (InputStream in = new Unpacked(opening.open())) {
        copyArchive(in, copy);
      }
      scanArchive(copy, name + INTO, depth);
    }
  }

  /** By its first bytes before the rest is copied: a gigabyte of zeros takes a megabyte there. */
  private static void copyArchive(InputStream in, Path copy) throws IOException {
    byte[] first = in.readNBytes(FileKind.BYTES);
    FileKind kind = FileKind.of(first);
    if (kind != FileKind.ARCHIVE && kind != FileKind.SCRIPT) {
      throw new ZipException("not an archive");
    }
    try (OutputStream out = Files.newOutputStream(copy)) {
      out.write(first);
      var _ = in.transferTo(out);
    }
  }

  private static InputStream stream(ZipFile zip, ZipEntry entry) throws IOException {
    InputStream in = zip.getInputStream(entry);
    if (in == null) {
      throw new ZipException("the entry is listed but not there");
    }
    return in;
  }

  private void scanClassFile(Path file, String entry) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      scanClass(entry, in);
    }
  }

  private void scanClass(String entry, InputStream in) throws IOException {
    classCount++;
    if (classCount % COUNT_CLASSES_PER_PROGRESS == 0) {
      progress.accept(classCount);
    }
    byte[] bytes = in.readNBytes(MAX_CLASS_BYTES + 1);
    if (bytes.length > MAX_CLASS_BYTES) {
      throw new IOException("too long for a class file: sizeBytes>" + MAX_CLASS_BYTES);
    }
    try {
      for (Site site : SiteFinder.sites(bytes)) {
        sites.add(new FoundSite(site, entry));
      }
    } catch (IllegalArgumentException e) {
      note(entry, e);
    }
  }

  private void note(String entry, Exception e) {
    problems.add(new Problem(artifact, entry, reason(e)));
  }

  /** The words of an exception where it has some; of some only the type tells. */
  private static String reason(Exception e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file";
      case AccessDeniedException _ -> "permission denied";
      case EOFException _ -> "it ends too early";
      default -> Objects.requireNonNullElse(e.getMessage(), e.toString());
    };
  }

  private static boolean isClass(String name) {
    return name.endsWith(".class");
  }

  private static boolean isArchiveName(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1);
    return ARCHIVES.contains(ending.toLowerCase(Locale.ROOT));
  }

  /** How the bytes of an entry are come by. */
  private interface Opening {
    InputStream open() throws IOException;
  }

  /** What comes out of an archive, counted. */
  private final class Unpacked extends FilterInputStream {
    Unpacked(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      count(count);
      return count;
    }

    private void count(int count) throws TooMuchException {
      unpackedBytes += Math.max(0, count);
      if (unpackedBytes > mostUnpackedBytes) {
        throw new TooMuchException(mostUnpackedBytes);
      }
    }
  }

  /** Ends the reading of an archive that would go on and on. */
  private static final class TooMuchException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    TooMuchException(long mostBytes) {
      super(
          "too much comes out of it, the rest is not read: unpackedBytes>%d (expected at most %d"
                  .formatted(mostBytes, MAX_EXPANSION)
              + " times its size and 64 MiB)");
    }
  }

  /** The entry at which a stream of them stands; closing it leaves the others. */
  private static final class OpenEntry extends FilterInputStream {
    OpenEntry(InputStream in) {
      super(in);
    }

    @Override
    public void close() {}
  }
}
