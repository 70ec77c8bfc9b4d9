package dev.arenal.lab.record;

import dev.arenal.lab.process.Causes;
import dev.arenal.lab.process.Program;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The FIFO through which the program's JVM hands over its log.
 *
 * <p>It is opened for reading and writing at once: then neither side waits for the other to open
 * it, and a JVM that never starts leaves no thread hanging. Its end is a line of our own, written
 * when the program has exited, because a process that the program left behind may still hold the
 * pipe.
 */
final class LogPipe implements Closeable {
  private static final long MOST_SECONDS = 60;

  private final Path directory;
  private final Path fifo;
  private final RandomAccessFile file;
  private final byte[] endLine =
      ("[end of log " + UUID.randomUUID() + "]").getBytes(StandardCharsets.US_ASCII);

  private LogPipe(Path directory, Path fifo, RandomAccessFile file) {
    this.directory = directory;
    this.fifo = fifo;
    this.file = file;
  }

  static LogPipe create() throws RecordException {
    try {
      Path directory = Files.createTempDirectory("arenal-record");
      Path fifo = directory.resolve("log");
      try {
        makeFifo(fifo);
        return new LogPipe(directory, fifo, new RandomAccessFile(fifo.toFile(), "rw"));
      } catch (IOException e) {
        Files.deleteIfExists(fifo);
        Files.deleteIfExists(directory);
        throw e;
      }
    } catch (IOException e) {
      throw new RecordException(
          "cannot make a pipe for the log: cause="
              + Causes.of(e)
              + " (expected the command mkfifo and a writable directory for temporary files)",
          e);
    }
  }

  /** The option that makes a JVM log into this pipe; nothing else of its logging changes. */
  String option() {
    // filecount=0: no rotation, which only regular files can do. tid: lines of threads interleave.
    return "-Xlog:metaspace=trace:file=\"" + fifo + "\":tid:filecount=0";
  }

  byte[] endLine() {
    return endLine.clone();
  }

  InputStream input() throws IOException {
    return new FileInputStream(file.getFD());
  }

  /** Writes the end line; to be called when the program has exited. */
  void end() throws IOException {
    byte[] line = new byte[endLine.length + 2];
    // A killed JVM may have left half a line.
    line[0] = '\n';
    System.arraycopy(endLine, 0, line, 1, endLine.length);
    line[line.length - 1] = '\n';
    file.write(line);
  }

  @Override
  public void close() throws IOException {
    file.close();
    Files.deleteIfExists(fifo);
    Files.deleteIfExists(directory);
  }

  private static void makeFifo(Path fifo) throws IOException {
    try {
      Program.End end =
          Program.run(new ProcessBuilder("mkfifo", "-m", "600", fifo.toString()), MOST_SECONDS);
      if (!end.isGood()) {
        throw new IOException("mkfifo failed: exit=" + end.exitCode() + ", path=" + fifo);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for mkfifo", e);
    }
  }
}
