package dev.arenal.lab.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * Access to traces: files that {@code ./arenal record} wrote, and the embedded ones by name.
 *
 * <p>A trace is checked from beginning to end before its first event is delivered. One that is
 * truncated or corrupt is refused with a {@link TraceFormatException} and the visitor sees nothing.
 */
public final class Traces {
  private static final String SUFFIX = ".trace";

  /** Recordings of real programs, which {@code corpus} has; the order of the tables. */
  private static final List<String> REAL =
      List.of(
          "groovy",
          "clojure",
          "rhino",
          "jsp",
          "calcite",
          "hibernate",
          "tomcat",
          "felix",
          "builds",
          "lambdas");

  /** Recordings of the workload that is made for it. */
  private static final List<String> GENERATED = List.of("by-loader", "by-class", "one-class");

  private static final List<String> EMBEDDED =
      Stream.concat(REAL.stream(), GENERATED.stream()).toList();

  /** Looks at nothing: what is to be checked is checked by the reader. */
  private static final TraceVisitor NOTHING = new TraceVisitor() {};

  private Traces() {}

  /** Opens the bytes of a trace anew for every pass. */
  @FunctionalInterface
  interface Source {
    InputStream open() throws IOException;
  }

  /**
   * Returns the names of the embedded traces: real programs first, then the generated ones.
   *
   * @return the names that {@link #read(String, TraceVisitor)} knows
   */
  public static List<String> embeddedNames() {
    return EMBEDDED;
  }

  /** Whether an embedded trace of that name is a recording of a real program. */
  public static boolean isRecorded(String name) {
    return REAL.contains(name);
  }

  /**
   * Reads a trace file.
   *
   * @param file the file
   * @param visitor receives all events in order
   * @return the facts of the trace
   * @throws TraceFormatException if the file is not a whole, sound trace
   * @throws IOException if it cannot be read
   */
  public static TraceInfo read(Path file, TraceVisitor visitor) throws IOException {
    return read(nameOf(file), source(file), visitor);
  }

  /**
   * Reads a trace by the name of an embedded one or by the path of a file.
   *
   * <p>An embedded name wins; a file of that name is reached as {@code ./by-loader}.
   *
   * @param pathOrName the name or path
   * @param visitor receives all events in order
   * @return the facts of the trace
   * @throws TraceFormatException if it is not a whole, sound trace
   * @throws IOException if it cannot be read
   */
  public static TraceInfo read(String pathOrName, TraceVisitor visitor) throws IOException {
    return EMBEDDED.contains(pathOrName)
        ? read(pathOrName, () -> embedded(pathOrName), visitor)
        : read(existing(pathOrName), visitor);
  }

  /**
   * Checks a trace from beginning to end.
   *
   * @param pathOrName the name of an embedded trace, or a path
   * @return the facts of the trace
   * @throws TraceFormatException if it is not a whole, sound trace
   * @throws IOException if it cannot be read
   */
  public static TraceInfo info(String pathOrName) throws IOException {
    if (EMBEDDED.contains(pathOrName)) {
      return check(pathOrName, () -> embedded(pathOrName));
    }
    Path file = existing(pathOrName);
    return check(nameOf(file), source(file));
  }

  /**
   * Opens the bytes of an embedded trace.
   *
   * @param name one of {@link #embeddedNames}
   * @return the trace as it would be in a file
   * @throws IOException if there is none of this name
   */
  public static InputStream embedded(String name) throws IOException {
    InputStream in =
        EMBEDDED.contains(name)
            ? Traces.class.getResourceAsStream("/dev/arenal/lab/traces/" + name + SUFFIX)
            : null;
    if (in == null) {
      throw new NoSuchFileException(
          "no embedded trace of this name: name=" + name + " (expected one of " + EMBEDDED + ")");
    }
    return in;
  }

  static TraceInfo read(String name, Source source, TraceVisitor visitor) throws IOException {
    visitor.checked(check(name, source));
    return TraceReader.read(name, source.open(), visitor, null).info();
  }

  private static TraceInfo check(String name, Source source) throws IOException {
    TraceReader.Pass pass = TraceReader.read(name, source.open(), NOTHING, null);
    BitSet deallocated = pass.deallocatedBlocks();
    // Which arena owns a deallocated block can be checked only once it is known which blocks those
    // are: keeping the owner of every block would cost memory for each allocation.
    return deallocated.isEmpty()
        ? pass.info()
        : TraceReader.read(name, source.open(), NOTHING, new FreedBlocks(deallocated)).info();
  }

  private static Source source(Path file) {
    return () -> Files.newInputStream(file);
  }

  private static Path existing(String pathOrName) throws IOException {
    Path file;
    try {
      file = Path.of(pathOrName);
    } catch (InvalidPathException e) { // the letters of this machine's locale are others
      throw new NoSuchFileException(
          "no such trace: trace=%s, reason=%s".formatted(pathOrName, e.getReason()));
    }
    if (!Files.isRegularFile(file)) {
      throw new NoSuchFileException(
          "no such trace: trace=%s (expected a file, or one of the embedded traces %s)"
              .formatted(pathOrName, EMBEDDED));
    }
    if (!Files.isReadable(file)) {
      throw new AccessDeniedException(
          "cannot read the trace: trace=%s (expected a file that this user may read)"
              .formatted(pathOrName));
    }
    return file;
  }

  private static String nameOf(Path file) {
    Path fileName = file.getFileName();
    String name = fileName == null ? file.toString() : fileName.toString();
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }
}
