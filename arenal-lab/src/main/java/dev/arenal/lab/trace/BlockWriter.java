package dev.arenal.lab.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;

/** The lower half of the format: compressed blocks, each with its lengths and a checksum. */
final class BlockWriter implements Closeable {
  private final OutputStream out;
  private final Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
  private final CRC32C crc = new CRC32C();
  private final byte[] stored = new byte[TraceLayout.MAX_STORED_BYTES];

  BlockWriter(OutputStream out) throws IOException {
    this.out = out;
    out.write(TraceLayout.magic());
    out.write(TraceLayout.VERSION >>> 8);
    out.write(TraceLayout.VERSION);
  }

  void write(int type, int eventCount, byte[] raw, int rawLength) throws IOException {
    deflater.reset();
    deflater.setInput(raw, 0, rawLength);
    deflater.finish();
    int storedLength = deflater.deflate(stored);
    if (!deflater.finished()) {
      throw new IllegalStateException(
          "block does not fit: rawLength=" + rawLength + ", storedLength=" + storedLength);
    }
    ByteBuffer head = ByteBuffer.allocate(TraceLayout.BLOCK_HEAD_BYTES);
    head.put((byte) type).putInt(eventCount).putInt(rawLength).putInt(storedLength);
    crc.reset();
    crc.update(head.array());
    crc.update(stored, 0, storedLength);
    out.write(head.array());
    out.write(stored, 0, storedLength);
    out.write(
        ByteBuffer.allocate(TraceLayout.BLOCK_CRC_BYTES).putInt((int) crc.getValue()).array());
  }

  void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    deflater.end();
    out.close();
  }
}
