package dev.arenal.lab.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** The lower half of reading: finds blocks, checks their sums and unpacks them. */
final class BlockReader implements AutoCloseable {
  private final InputStream in;
  private final TracePlace place;
  private final Inflater inflater = new Inflater(true);
  private final CRC32C crc = new CRC32C();
  private byte[] stored = new byte[0];
  private byte[] raw = new byte[0];
  private final ByteSource source;

  private long offsetBytes;
  private int blockCount;
  private int type;
  private int eventCount;

  BlockReader(InputStream in, TracePlace place) {
    this.in = in;
    this.place = place;
    this.source = new ByteSource(place);
  }

  void readPreamble() throws IOException {
    byte[] preamble = new byte[TraceLayout.PREAMBLE_BYTES];
    int length = in.readNBytes(preamble, 0, preamble.length);
    offsetBytes = length;
    byte[] magic = TraceLayout.magic();
    int compared = Math.min(length, magic.length);
    if (length == 0 || !Arrays.equals(preamble, 0, compared, magic, 0, compared)) {
      throw place.problem(
          "not a trace", "expected the file to begin with " + TraceLayout.MAGIC_TEXT);
    }
    if (length < preamble.length) {
      throw truncated("preamble", preamble.length, length);
    }
    int version = (preamble[8] & 0xff) << 8 | (preamble[9] & 0xff);
    if (version != TraceLayout.VERSION) {
      throw place.problem(
          "trace of another version: version=" + version, "expected " + TraceLayout.VERSION);
    }
  }

  /** Reads and checks the next block, whose content is then in {@link #source}. */
  void next() throws IOException {
    place.enterBlock(blockCount, offsetBytes);
    byte[] head = new byte[TraceLayout.BLOCK_HEAD_BYTES];
    int headLength = in.readNBytes(head, 0, head.length);
    if (headLength == 0) {
      throw place.problem(
          "trace is truncated", "expected another block; the end record is missing");
    }
    if (headLength < head.length) {
      throw truncated("block head", head.length, headLength);
    }
    ByteBuffer fields = ByteBuffer.wrap(head);
    type = fields.get() & 0xff;
    eventCount = fields.getInt();
    int rawLength = fields.getInt();
    int storedLength = fields.getInt();
    checkLength("rawLength", rawLength, TraceLayout.MAX_RAW_BYTES);
    checkLength("storedLength", storedLength, TraceLayout.MAX_STORED_BYTES);
    stored = atLeast(storedLength, stored);
    raw = atLeast(rawLength, raw);
    int readLength = in.readNBytes(stored, 0, storedLength);
    byte[] sum = new byte[TraceLayout.BLOCK_CRC_BYTES];
    int sumLength = in.readNBytes(sum, 0, sum.length);
    if (sumLength < sum.length) {
      throw truncated("block", storedLength + sum.length, readLength + sumLength);
    }
    crc.reset();
    crc.update(head);
    crc.update(stored, 0, storedLength);
    int storedCrc = ByteBuffer.wrap(sum).getInt();
    if (storedCrc != (int) crc.getValue()) {
      throw place.problem(
          "block is corrupt: crc32c=" + Integer.toHexString((int) crc.getValue()),
          "expected " + Integer.toHexString(storedCrc));
    }
    inflate(rawLength, storedLength);
    offsetBytes += head.length + storedLength + sum.length;
    blockCount++;
  }

  void expectEndOfFile() throws IOException {
    place.enterBlock(blockCount, offsetBytes);
    if (in.read() >= 0) {
      throw place.problem("bytes follow the end record", "expected the end of the file");
    }
  }

  int type() {
    return type;
  }

  int eventCount() {
    return eventCount;
  }

  ByteSource source() {
    return source;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }

  private void inflate(int rawLength, int storedLength) throws TraceFormatException {
    inflater.reset();
    inflater.setInput(stored, 0, storedLength);
    int length = 0;
    try {
      while (length < rawLength && !inflater.finished()) {
        int step = inflater.inflate(raw, length, rawLength - length);
        if (step == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          break;
        }
        length += step;
      }
      // The closing bits of the stream may still have to be read; they carry no bytes.
      boolean hasMore = !inflater.finished() && inflater.inflate(new byte[1]) > 0;
      if (length != rawLength || hasMore || !inflater.finished()) {
        throw place.problem(
            "block does not unpack to its length: length=" + length + (hasMore ? " or more" : ""),
            "expected " + rawLength);
      }
    } catch (DataFormatException e) {
      throw place.problem("block does not unpack: cause=" + e.getMessage());
    }
    source.reset(raw, rawLength);
  }

  private static byte[] atLeast(int length, byte[] buffer) {
    return buffer.length < length ? new byte[length] : buffer;
  }

  private void checkLength(String name, int length, int maxLength) throws TraceFormatException {
    if (length < 0 || length > maxLength) {
      throw place.problem(
          "block length out of range: " + name + "=" + length, "expected 0.." + maxLength);
    }
  }

  private TraceFormatException truncated(String part, int expectedLength, int length) {
    return place.problem(
        "trace is truncated in a " + part + ": length=" + length, "expected " + expectedLength);
  }
}
