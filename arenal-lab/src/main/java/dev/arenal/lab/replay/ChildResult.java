package dev.arenal.lab.replay;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a child measured in one replay, and how it gets it to its parent: through a file, since a
 * JVM may print what it likes on its standard output.
 */
final class ChildResult {
  private static final int MAGIC = 0x4172_5265;

  private final String library;
  private final long granuleBytes;
  private final long headerBytesPerBlock;
  private final long[] committedBytes;
  private final long[] residentBytes;
  private final long[] wallNanos;

  ChildResult(
      String library,
      long granuleBytes,
      long headerBytesPerBlock,
      long[] committedBytes,
      long[] residentBytes,
      long[] wallNanos) {
    this.library = library;
    this.granuleBytes = granuleBytes;
    this.headerBytesPerBlock = headerBytesPerBlock;
    this.committedBytes = committedBytes;
    this.residentBytes = residentBytes;
    this.wallNanos = wallNanos;
  }

  /** The heap that was measured, by its own words; empty for what is no library. */
  String library() {
    return library;
  }

  /** The time of all operations, without the samples. */
  long wallNanos() {
    return wallNanos[wallNanos.length - 1];
  }

  /** The allocator's unit of commit, or unknown. */
  long granuleBytes() {
    return granuleBytes;
  }

  /** What stands before each block. */
  long headerBytesPerBlock() {
    return headerBytesPerBlock;
  }

  int countSamples() {
    return committedBytes.length;
  }

  /** Committed at that sample of the plan, or unknown. */
  long committedBytes(int sample) {
    return committedBytes[sample];
  }

  /** Resident above the baseline at that sample of the plan. */
  long residentBytes(int sample) {
    return residentBytes[sample];
  }

  /** The time of all operations up to that sample of the plan. */
  long wallNanos(int sample) {
    return wallNanos[sample];
  }

  void write(Path file) throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      out.writeInt(MAGIC);
      out.writeUTF(library);
      out.writeLong(granuleBytes);
      out.writeLong(headerBytesPerBlock);
      out.writeInt(committedBytes.length);
      for (int i = 0; i < committedBytes.length; i++) {
        out.writeLong(committedBytes[i]);
        out.writeLong(residentBytes[i]);
        out.writeLong(wallNanos[i]);
      }
    }
  }

  static ChildResult read(Path file) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      if (in.readInt() != MAGIC) {
        throw new IOException("not the result of a replay: file=" + file);
      }
      String library = in.readUTF();
      long granuleBytes = in.readLong();
      long headerBytesPerBlock = in.readLong();
      int countSamples = in.readInt();
      long[] committedBytes = new long[countSamples];
      long[] residentBytes = new long[countSamples];
      long[] wallNanos = new long[countSamples];
      for (int i = 0; i < countSamples; i++) {
        committedBytes[i] = in.readLong();
        residentBytes[i] = in.readLong();
        wallNanos[i] = in.readLong();
      }
      return new ChildResult(
          library, granuleBytes, headerBytesPerBlock, committedBytes, residentBytes, wallNanos);
    }
  }
}
