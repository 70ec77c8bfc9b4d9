package dev.arenal.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * What Linux says in files of {@code /proc} and {@code /sys}.
 *
 * <p>Where a file is missing or not as expected, nothing is known, and nothing fails.
 */
final class KernelFiles {
  private static final long BYTES_PER_KB = 1024;
  private static final int MOST_DIGITS = 18;

  /** In {@code /proc/thread-self/stat}, counted behind the name, which may contain anything. */
  private static final int MINOR_FAULTS = 7;

  private static final int MAJOR_FAULTS = 9;

  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding"), StandardCharsets.ISO_8859_1);

  private final Path root;

  KernelFiles(Path root) {
    this.root = root;
  }

  /** What is to be had, now. */
  MemoryFigures memoryFigures(long pageBytes) {
    List<String> meminfo = lines("proc/meminfo");
    long usedPages = firstNumber(lines("proc/self/statm"));
    return new MemoryFigures(
        kilobytes(meminfo, "MemAvailable:"),
        kilobytes(meminfo, "MemTotal:"),
        new ControlGroups(this).limited(),
        addressSpaceLimitBytes(),
        usedPages == MemoryFigures.UNKNOWN ? 0 : usedPages * pageBytes,
        (int) Math.min(2, firstNumber(lines("proc/sys/vm/overcommit_memory"), 0)),
        kilobytes(meminfo, "CommitLimit:"),
        kilobytes(meminfo, "Committed_AS:", 0));
  }

  private long addressSpaceLimitBytes() {
    for (String line : lines("proc/self/limits")) {
      if (line.startsWith("Max address space")) {
        return number(word(line.substring("Max address space".length())));
      }
    }
    return MemoryFigures.UNKNOWN;
  }

  /** Huge pages in the mappings that some ranges touch; -1 if that is not known. */
  long hugeBytes(long[] addresses, long[] sizesBytes, int count) {
    long bytes = 0;
    boolean isTold = false;
    boolean isWanted = false;
    // Mappings can be a hundred thousand: not all lines at once.
    try (Stream<String> smaps = Files.lines(root.resolve("proc/self/smaps"))) {
      for (String line : (Iterable<String>) smaps::iterator) {
        if (Character.digit(line.charAt(0), 16) >= 0 && line.indexOf('-') > 0) {
          isWanted = touches(line, addresses, sizesBytes, count);
        } else if (line.startsWith("AnonHugePages:")) {
          isTold = true;
          String kilobytes = word(line.substring("AnonHugePages:".length()));
          bytes += isWanted ? number(kilobytes) * BYTES_PER_KB : 0;
        }
      }
    } catch (IOException | UncheckedIOException e) {
      return -1;
    }
    return isTold ? bytes : -1;
  }

  private static boolean touches(String line, long[] addresses, long[] sizesBytes, int count) {
    int dash = line.indexOf('-');
    int end = line.indexOf(' ');
    long from = Long.parseUnsignedLong(line, 0, dash, 16);
    long to = Long.parseUnsignedLong(line, dash + 1, end, 16);
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
  int countNodes() {
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

  /** The node of a processor; 0 if that is not known. */
  int nodeOfProcessor(int processor) {
    for (String line : lines("sys/devices/system/node/online")) {
      BitSet nodes = numbers(line);
      for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
        for (String list : lines("sys/devices/system/node/node" + node + "/cpulist")) {
          if (numbers(list).get(processor)) {
            return node;
          }
        }
      }
    }
    return 0;
  }

  /** A list such as {@code 0-3,8,10-11}; what is none of it is left out. */
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
    try {
      // In these files are names of other files, which may be anything; nothing is malformed.
      return List.of(new String(Files.readAllBytes(file), NAMES).split("\n", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static long kilobytes(List<String> lines, String name) {
    return kilobytes(lines, name, MemoryFigures.UNKNOWN);
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
    int from = 0;
    while (from < text.length() && Character.isWhitespace(text.charAt(from))) {
      from++;
    }
    int to = from;
    while (to < text.length() && !Character.isWhitespace(text.charAt(to))) {
      to++;
    }
    return text.substring(from, to);
  }
}
