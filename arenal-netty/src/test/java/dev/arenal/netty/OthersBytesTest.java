package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Ways past Netty's checks: a slice keeps its bounds when its buffer shrinks, and a stream of the
 * program may call back, and shrink or release the buffer that it reads or writes.
 */
final class OthersBytesTest {
  private static final int SIZE_BYTES = 64 << 10;
  private static final int SHRUNK_BYTES = 100;
  private static final byte OWN = 7;
  private static final byte OTHER = 42;

  private final PageAllocator pages = Pages.open();
  private final ArenalByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true);
  private final List<ByteBuf> others = new ArrayList<>();

  /** What the buffer leaves, if it leaves anything, and what is beside it, is that of others. */
  private void shrink(ByteBuf buffer) {
    var _ = buffer.capacity(SHRUNK_BYTES);
    takeOthers();
  }

  private void release(ByteBuf buffer) {
    assertThat(buffer.release()).isTrue();
    takeOthers();
  }

  private void takeOthers() {
    for (int sizeBytes : new int[] {SHRUNK_BYTES, SIZE_BYTES}) {
      for (int i = 0; i < 100; i++) {
        ByteBuf other = allocator.directBuffer(sizeBytes);
        for (int at = 0; at < sizeBytes; at++) {
          var _ = other.writeByte(OTHER);
        }
        others.add(other);
      }
    }
  }

  private ByteBuf open() {
    ByteBuf buffer = allocator.directBuffer(SIZE_BYTES, SIZE_BYTES);
    for (int at = 0; at < SIZE_BYTES; at++) {
      var _ = buffer.writeByte(OWN);
    }
    return buffer;
  }

  @AfterEach
  void othersAreAsTheyWere() {
    for (ByteBuf other : others) {
      assertThat(other.forEachByte(value -> value == OTHER)).isEqualTo(-1);
      assertThat(other.release()).isTrue();
    }
    pages.assertNoOpenBuffers();
    pages.close();
  }

  /** A relative access of a slice is checked against the slice alone. */
  @Test
  void slice_ofAShrunkBuffer_getsNoByteOfOthers() {
    ByteBuf buffer = open();
    ByteBuf slice = buffer.slice();
    shrink(buffer);
    for (int at = 0; at < SIZE_BYTES; at++) {
      assertThat(slice.readByte()).isEqualTo(OWN);
    }
    var _ = slice.clear();
    for (int at = 0; at < SIZE_BYTES; at++) {
      var _ = slice.writeByte(OWN);
    }
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void outputStream_thatShrinksTheBuffer_getsNoByteOfOthers() {
    ByteBuf buffer = open();
    Output out = new Output(buffer, this::shrink);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> buffer.getBytes(0, out, SIZE_BYTES));
    assertThat(out.toByteArray()).containsOnly(OWN).hasSize(8 << 10);
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void outputStream_thatReleasesTheBuffer_getsNoByteOfOthers() {
    ByteBuf buffer = open();
    Output out = new Output(buffer, this::release);
    assertThatExceptionOfType(IllegalReferenceCountException.class)
        .isThrownBy(() -> buffer.getBytes(0, out, SIZE_BYTES));
    assertThat(out.toByteArray()).containsOnly(OWN).hasSize(8 << 10);
  }

  @Test
  void inputStream_thatShrinksTheBuffer_writesNothing() {
    ByteBuf buffer = open();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(
            () -> buffer.setBytes(0, new Input(buffer, this::shrink, SIZE_BYTES), SIZE_BYTES));
    assertThat(buffer.forEachByte(value -> value == OWN)).isEqualTo(-1);
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void inputStream_thatReleasesTheBuffer_writesNothing() {
    ByteBuf buffer = open();
    assertThatExceptionOfType(IllegalReferenceCountException.class)
        .isThrownBy(
            () -> buffer.setBytes(0, new Input(buffer, this::release, SIZE_BYTES), SIZE_BYTES));
  }

  /** More than there is room for, which no stream may say. */
  @Test
  void inputStream_thatSaysTooMuch_writesNothing() {
    ByteBuf buffer = open();
    Consumer<ByteBuf> nothing = open -> takeOthers();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> buffer.setBytes(0, new Input(buffer, nothing, SIZE_BYTES), 100));
    assertThat(buffer.forEachByte(value -> value == OWN)).isEqualTo(-1);
    assertThat(buffer.release()).isTrue();
  }

  /** Does so after the first step. */
  private static final class Output extends OutputStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final ByteBuf buffer;
    private final Consumer<ByteBuf> callback;

    Output(ByteBuf buffer, Consumer<ByteBuf> callback) {
      this.buffer = buffer;
      this.callback = callback;
    }

    @Override
    public void write(int value) {
      written.write(value);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      written.write(from, offset, length);
      callback.accept(buffer);
    }

    byte[] toByteArray() {
      return written.toByteArray();
    }
  }

  private static final class Input extends InputStream {
    private final ByteBuf buffer;
    private final Consumer<ByteBuf> callback;
    private final int said;

    Input(ByteBuf buffer, Consumer<ByteBuf> callback, int said) {
      this.buffer = buffer;
      this.callback = callback;
      this.said = said;
    }

    @Override
    public int read() throws IOException {
      throw new IOException("not expected");
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      callback.accept(buffer);
      return said;
    }
  }
}
