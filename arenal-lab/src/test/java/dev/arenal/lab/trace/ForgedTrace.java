package dev.arenal.lab.trace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;

/** A trace with right lengths and checksums whose content is not what a writer would write. */
final class ForgedTrace {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final BlockWriter blocks;

  ForgedTrace() throws IOException {
    blocks = new BlockWriter(bytes);
    ByteSink header = new ByteSink(64);
    header.putText("25");
    blocks.write(TraceLayout.BLOCK_HEADER, 0, header.bytes(), header.size());
  }

  /** Adds an event block of these bytes. */
  ForgedTrace events(int eventCount, int... content) throws IOException {
    return block(TraceLayout.BLOCK_EVENTS, eventCount, content);
  }

  ForgedTrace block(int type, int eventCount, int... content) throws IOException {
    byte[] raw = new byte[content.length];
    for (int i = 0; i < content.length; i++) {
      raw[i] = (byte) content[i];
    }
    blocks.write(type, eventCount, raw, raw.length);
    return this;
  }

  /** Adds an event block of random bytes, with births in front so that some of it makes sense. */
  void events(int eventCount, int byteCount, Random random) throws IOException {
    byte[] raw = new byte[4 + byteCount];
    random.nextBytes(raw);
    for (int i = 4; i < raw.length; i++) {
      // Small numbers make more of it pass.
      raw[i] = random.nextInt(3) == 0 ? raw[i] : (byte) (raw[i] & 0xc7);
    }
    raw[0] = (byte) TraceLayout.OP_BIRTH_NON_CLASS;
    raw[1] = 0;
    raw[2] = (byte) TraceLayout.OP_BIRTH_CLASS;
    raw[3] = 1;
    blocks.write(TraceLayout.BLOCK_EVENTS, eventCount, raw, raw.length);
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
