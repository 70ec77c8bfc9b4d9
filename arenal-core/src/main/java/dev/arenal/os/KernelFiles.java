package dev.arenal.os;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The figures that Linux reports in files of {@code /proc} and {@code /sys}, and the one reader of
 * them.
 *
 * <p>Where a file is missing or not as expected, nothing is known, and nothing fails.
 *
 * <p>Two habits of {@link java.nio.file.Files} do not fit such files. A file of {@code /proc/sys}
 * gives what it has to the first read and then ends, and a file whose size is told as zero is first
 * read for a single byte: 6 instead of 65530. And a channel that a thread with its interrupt flag
 * set reads from is closed, so that nothing would be known for the life of the process. Hence plain
 * streams, whose first read is of 4 KiB or more: as much as such a file may be.
 */
final class KernelFiles {
  private static final long BYTES_PER_KB = 1024;
  private static final int MOST_DIGITS = 18;

  /** A longer one is none of the files that are read here as a whole. */
  private static final int MOST_BYTES = 16 << 20;

  private static final long DEFAULT_MAX_MAP_COUNT = 65_530;
  static final int NEVER_OVERCOMMIT = 2;

  /** In {@code /proc/thread-self/stat}, counted behind the name, which may contain anything. */
  private static final int MINOR_FAULTS = 7;

  private static final int MAJOR_FAULTS = 9;

  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding"), StandardCharsets.ISO_8859_1);

  private final Path root;

  KernelFiles(Path root) {
    this.root = root;
  }

  /** The memory that is available now. */
  MemoryFigures memoryFigures(long pageBytes) {
    List<String> meminfo = lines("proc/meminfo");
    long usedPages = firstNumber(lines("proc/self/statm"));
    return new MemoryFigures(
        kilobytes(meminfo, "MemAvailable:", MemoryFigures.UNKNOWN),
        kilobytes(meminfo, "MemTotal:", MemoryFigures.UNKNOWN),
        new ControlGroups(this).limited(),
        number(limit("Max address space")),
        usedPages == MemoryFigures.UNKNOWN ? 0 : usedPages * pageBytes,
        overcommitMode(),
        kilobytes(meminfo, "CommitLimit:", MemoryFigures.UNKNOWN),
        kilobytes(meminfo, "Committed_AS:", 0));
  }

  /** Whether the kernel says that neither addresses nor data of this process are limited. */
  boolean hasUnlimitedAddresses() {
    return limit("Max address space").equals("unlimited")
        && limit("Max data size").equals("unlimited");
  }

  private String limit(String name) {
    for (String line : lines("proc/self/limits")) {
      if (line.startsWith(name)) {
        return word(line.substring(name.length()));
      }
    }
    return "";
  }

  /** {@code vm.overcommit_memory}; 0 if that is not known. */
  int overcommitMode() {
    return (int) Math.min(NEVER_OVERCOMMIT, firstNumber(lines("proc/sys/vm/overcommit_memory"), 0));
  }

  /** {@code vm.max_map_count}; its default if that is not known. */
  long mostMappings() {
    return firstNumber(lines("proc/sys/vm/max_map_count"), DEFAULT_MAX_MAP_COUNT);
  }

  /** Huge pages in the mappings that some ranges touch; -1 if that is not known. */
  long hugeBytes(long[] addresses, long[] sizesBytes, int count) {
    long bytes = 0;
    boolean isTold = false;
    boolean isWanted = false;
    long end = end(addresses, sizesBytes, count);
    // Mappings can be a hundred thousand, in the order of addresses: not all lines at once, and
    // none behind the last range.
    try (BufferedReader smaps =
        new BufferedReader(new InputStreamReader(open(root.resolve("proc/self/smaps")), NAMES))) {
      for (String line = smaps.readLine(); line != null; line = smaps.readLine()) {
        int dash = line.indexOf('-');
        if (dash > 0 && Character.digit(line.charAt(0), 16) >= 0) {
          long from = Long.parseUnsignedLong(line, 0, dash, 16);
          if (Long.compareUnsigned(from, end) >= 0) {
            break;
          }
          long to = Long.parseUnsignedLong(line, dash + 1, line.indexOf(' '), 16);
          isWanted = touches(from, to, addresses, sizesBytes, count);
        } else if (line.startsWith("AnonHugePages:")) {
          isTold = true;
          String kilobytes = word(line.substring("AnonHugePages:".length()));
          bytes += isWanted ? number(kilobytes) * BYTES_PER_KB : 0;
        }
      }
    } catch (IOException e) {
      return -1;
    }
    return isTold ? bytes : -1;
  }

  private static long end(long[] addresses, long[] sizesBytes, int count) {
    long end = 0;
    for (int i = 0; i < count; i++) {
      end = Math.max(end, addresses[i] + sizesBytes[i]);
    }
    return end;
  }

  private static boolean touches(
      long from, long to, long[] addresses, long[] sizesBytes, int count) {
    for (int i = 0; i < count; i++) {
      if (addresses[i] < to && addresses[i] + sizesBytes[i] > from) {
        return true;
      }
    }
    return false;
  }

  /** Page faults of the calling thread so far; -1 if that is not known. */
  long threadFaults() {
    for (String line : lines("proc/thread-self/stat")) {
      String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1);
      if (fields.length > MAJOR_FAULTS) {
        return number(fields[MINOR_FAULTS]) + number(fields[MAJOR_FAULTS]);
      }
    }
    return -1;
  }

  // ---- NUMA ----

  /** Number of nodes with memory; 1 if that is not known. */
  int nodeCount() {
    for (String line : lines("sys/devices/system/node/has_memory")) {
      return Math.max(1, numbers(line).cardinality());
    }
    return 1;
  }

  /** Processors of a node that this process may use. */
  BitSet processorsOfNode(int node) {
    BitSet processors = new BitSet();
    for (String line : lines("sys/devices/system/node/node" + node + "/cpulist")) {
      processors.or(numbers(line));
    }
    for (String line : lines("proc/self/status")) {
      if (line.startsWith("Cpus_allowed_list:")) {
        processors.and(numbers(line.substring("Cpus_allowed_list:".length())));
      }
    }
    return processors;
  }

  /** A list such as {@code 0-3,8,10-11}; anything else is left out. */
  static BitSet numbers(String list) {
    BitSet numbers = new BitSet();
    for (String part : list.strip().split(",", -1)) {
      String[] ends = part.split("-", 2);
      if (Stream.of(ends).allMatch(end -> end.matches("\\d{1,6}"))) {
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[ends.length - 1]);
        if (from <= to) {
          numbers.set(from, to + 1);
        }
      }
    }
    return numbers;
  }

  // ---- files ----

  Path root() {
    return root;
  }

  /** All lines of a file; none if it cannot be read. */
  List<String> lines(String file) {
    return lines(root.resolve(file));
  }

  static List<String> lines(Path file) {
    try (InputStream in = open(file)) {
      // In these files are names of other files, which may be anything; nothing is malformed.
      return List.of(new String(readAll(in), NAMES).split("\n", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Not a channel: an interrupted thread reads as well. */
  private static InputStream open(Path file) throws IOException {
    return new FileInputStream(file.toFile());
  }

  /** Everything up to the end, however little each read gives. */
  static byte[] readAll(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MOST_BYTES);
    if (bytes.length == MOST_BYTES) {
      throw new IOException("file of the kernel does not end: bytes=" + bytes.length);
    }
    return bytes;
  }

  private static long kilobytes(List<String> lines, String name, long otherwise) {
    for (String line : lines) {
      if (line.startsWith(name)) {
        long kilobytes = number(word(line.substring(name.length())));
        return kilobytes == MemoryFigures.UNKNOWN ? otherwise : kilobytes * BYTES_PER_KB;
      }
    }
    return otherwise;
  }

  static long firstNumber(List<String> lines) {
    return firstNumber(lines, MemoryFigures.UNKNOWN);
  }

  private static long firstNumber(List<String> lines, long otherwise) {
    for (String line : lines) {
      long number = number(word(line));
      return number == MemoryFigures.UNKNOWN ? otherwise : number;
    }
    return otherwise;
  }

  /** A number that is not so large that it means "none"; otherwise unknown. */
  static long number(String text) {
    if (text.isEmpty() || text.length() > MOST_DIGITS) {
      return MemoryFigures.UNKNOWN;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return MemoryFigures.UNKNOWN;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /** The first word of a text. */
  private static String word(String text) {
    String words = text.strip();
    int to = 0;
    while (to < words.length() && !Character.isWhitespace(words.charAt(to))) {
      to++;
    }
    return words.substring(0, to);
  }
}
