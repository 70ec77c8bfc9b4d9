package dev.arenal.netty;

import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A direct buffer in a page: all of it but the way to the page allocator, which is another one for
 * the copies that the agent puts beside a program's own Netty.
 *
 * <p>It reads and writes at its address, so it needs no {@link ByteBuffer} before a caller asks for
 * one, and leaves less garbage. It is not recycled: code that keeps it beyond its release gets an
 * exception for ever, and never another one's memory.
 *
 * <p>A copy is this class file with other names in it (ADR 0028): it has nothing here but the JDK,
 * Netty's {@code ByteBuf} and the classes that are copied with it.
 */
abstract class AbstractPageByteBuf extends AbstractReferenceCountedByteBuf {
  /** Where nothing can be read or written: for those that turn Netty's own checks off. */
  private static final long NOWHERE = Long.MIN_VALUE;

  private static final int STREAM_STEP_BYTES = 8 << 10;

  /** The JDK makes no larger one of a segment. */
  private static final int LARGEST_BYTE_BUFFER = Integer.MAX_VALUE - 8;

  /** As {@link #allocatePage} makes them. */
  private Object page;

  /** That of the page, which is slower to get. */
  private long address;

  private int capacity;

  /** The capacity that it can have where it is. */
  private int room;

  private @Nullable ByteBuffer internalNioBuffer;

  /** Owns the page from now on, whose memory is that segment. */
  AbstractPageByteBuf(Object page, MemorySegment segment, int capacity, int maxCapacity) {
    super(maxCapacity);
    this.page = page;
    this.address = segment.address();
    this.capacity = capacity;
    this.room = (int) segment.byteSize();
  }

  /** With as much room as it costs anyway, at most the greatest capacity. */
  abstract Object allocatePage(int newCapacity);

  abstract MemorySegment segment(Object ofPage);

  abstract void close(Object lastPage);

  /** The address of some bytes that were checked to be there. */
  private long at(int index) {
    return address + index;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  /**
   * Shrinks where it is, as Netty's adaptive buffers do: a slice keeps its bounds, by which Netty
   * checks it, and must not get to what is beyond a smaller page.
   */
  @Override
  public ByteBuf capacity(int newCapacity) {
    checkNewCapacity(newCapacity);
    if (newCapacity > room) {
      move(allocatePage(newCapacity), newCapacity);
    } else {
      trimIndicesToCapacity(newCapacity);
      capacity = newCapacity;
    }
    return this;
  }

  /** The close of the last page may be refused: then the buffer is complete in the new one. */
  private void move(Object next, int newCapacity) {
    Object last = page;
    boolean isMoved = false;
    try {
      MemorySegment segment = segment(next);
      long nextAddress = segment.address();
      int nextRoom = (int) segment.byteSize();
      Memory.copy(address, nextAddress, capacity);
      page = next; // no call from here on
      address = nextAddress;
      room = nextRoom;
      capacity = newCapacity;
      internalNioBuffer = null;
      isMoved = true;
    } finally {
      if (!isMoved) { // the Java heap is full: the buffer stays where it is
        close(next);
      }
    }
    close(last);
  }

  @Override
  public int maxFastWritableBytes() {
    return Math.min(room, maxCapacity()) - writerIndex();
  }

  @Override
  protected void deallocate() {
    address = NOWHERE;
    internalNioBuffer = null;
    close(page);
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester") // it is Netty's to say by what it is replaced
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isDirect() {
    return true;
  }

  @Override
  public boolean isContiguous() {
    return true;
  }

  @Override
  public boolean hasArray() {
    return false;
  }

  @Override
  public byte[] array() {
    throw new UnsupportedOperationException("direct buffer");
  }

  @Override
  public int arrayOffset() {
    throw new UnsupportedOperationException("direct buffer");
  }

  @Override
  public boolean hasMemoryAddress() {
    return true;
  }

  @Override
  public long memoryAddress() {
    ensureAccessible();
    if (address == NOWHERE) { // also where Netty's own check is turned off
      throw new IllegalStateException(
          "buffer is already released: capacity=" + capacity + " (expected an open buffer)");
    }
    return address;
  }

  // ---- single values; AbstractByteBuf has checked the index ----

  @Override
  protected byte _getByte(int index) {
    return Memory.getByte(at(index));
  }

  @Override
  protected short _getShort(int index) {
    return Memory.getShort(at(index));
  }

  @Override
  protected short _getShortLE(int index) {
    return Memory.getShortLE(at(index));
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return Memory.getUnsignedMedium(at(index));
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return Memory.getUnsignedMediumLE(at(index));
  }

  @Override
  protected int _getInt(int index) {
    return Memory.getInt(at(index));
  }

  @Override
  protected int _getIntLE(int index) {
    return Memory.getIntLE(at(index));
  }

  @Override
  protected long _getLong(int index) {
    return Memory.getLong(at(index));
  }

  @Override
  protected long _getLongLE(int index) {
    return Memory.getLongLE(at(index));
  }

  @Override
  protected void _setByte(int index, int value) {
    Memory.setByte(at(index), value);
  }

  @Override
  protected void _setShort(int index, int value) {
    Memory.setShort(at(index), value);
  }

  @Override
  protected void _setShortLE(int index, int value) {
    Memory.setShortLE(at(index), value);
  }

  @Override
  protected void _setMedium(int index, int value) {
    Memory.setMedium(at(index), value);
  }

  @Override
  protected void _setMediumLE(int index, int value) {
    Memory.setMediumLE(at(index), value);
  }

  @Override
  protected void _setInt(int index, int value) {
    Memory.setInt(at(index), value);
  }

  @Override
  protected void _setIntLE(int index, int value) {
    Memory.setIntLE(at(index), value);
  }

  @Override
  protected void _setLong(int index, long value) {
    Memory.setLong(at(index), value);
  }

  @Override
  protected void _setLongLE(int index, long value) {
    Memory.setLongLE(at(index), value);
  }

  // ---- many bytes ----

  @Override
  public ByteBuf getBytes(int index, ByteBuf dst, int dstIndex, int length) {
    checkDstIndex(index, length, dstIndex, dst.capacity());
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    } else if (dst.hasMemoryAddress()) {
      Memory.copy(at(index), dst.memoryAddress() + dstIndex, length);
    } else if (dst.hasArray()) {
      Memory.copy(at(index), dst.array(), dst.arrayOffset() + dstIndex, length);
    } else {
      dst.setBytes(dstIndex, this, index, length);
    }
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] dst, int dstIndex, int length) {
    checkDstIndex(index, length, dstIndex, dst.length);
    Memory.copy(at(index), dst, dstIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer dst) {
    int length = dst.remaining();
    checkIndex(index, length);
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    Memory.copy(at(index), MemorySegment.ofBuffer(dst), length);
    dst.position(dst.limit());
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    checkIndex(index, length);
    byte[] step = new byte[Math.min(length, STREAM_STEP_BYTES)];
    int done = 0;
    while (done < length) {
      int count = Math.min(length - done, step.length);
      checkIndex(index + done, count); // the stream may have released or shrunk the buffer
      Memory.copy(at(index + done), step, 0, count);
      out.write(step, 0, count);
      done += count;
    }
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    return length == 0 ? checkNone(index) : out.write(nioBuffer(index, length));
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    return length == 0 ? checkNone(index) : out.write(nioBuffer(index, length), position);
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    checkReadableBytes(length);
    int count = out.write(internalNioBuffer(readerIndex(), length));
    readerIndex(readerIndex() + count);
    return count;
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    checkReadableBytes(length);
    int count = out.write(internalNioBuffer(readerIndex(), length), position);
    readerIndex(readerIndex() + count);
    return count;
  }

  private int checkNone(int index) {
    checkIndex(index, 0);
    return 0;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf src, int srcIndex, int length) {
    checkSrcIndex(index, length, srcIndex, src.capacity());
    if (src.hasMemoryAddress()) {
      Memory.copy(src.memoryAddress() + srcIndex, at(index), length);
    } else if (src.hasArray()) {
      Memory.copy(src.array(), src.arrayOffset() + srcIndex, at(index), length);
    } else {
      src.getBytes(srcIndex, this, index, length);
    }
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, byte[] src, int srcIndex, int length) {
    checkSrcIndex(index, length, srcIndex, src.length);
    Memory.copy(src, srcIndex, at(index), length);
    return this;
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer src) {
    int length = src.remaining();
    checkIndex(index, length);
    Memory.copy(MemorySegment.ofBuffer(src), at(index), length);
    src.position(src.limit());
    return this;
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    checkIndex(index, length);
    byte[] read = new byte[length];
    int count = in.read(read, 0, length);
    if (count > 0) {
      checkIndex(index, count); // the stream may have released or shrunk the buffer
      Memory.copy(read, 0, at(index), count);
    }
    return count;
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    try {
      return in.read(internalNioBuffer(index, length));
    } catch (ClosedChannelException e) {
      return -1; // as ByteBuf says
    }
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    try {
      return in.read(internalNioBuffer(index, length), position);
    } catch (ClosedChannelException e) {
      return -1; // as ByteBuf says
    }
  }

  @Override
  public ByteBuf setZero(int index, int length) {
    checkIndex(index, length);
    Memory.zero(at(index), length);
    return this;
  }

  @Override
  public ByteBuf copy(int index, int length) {
    checkIndex(index, length);
    ByteBuf copy = alloc().directBuffer(length, maxCapacity());
    boolean isWritten = false;
    try {
      var _ = copy.writeBytes(this, index, length);
      isWritten = true;
      return copy;
    } finally {
      if (!isWritten) { // the end of the stack, or a full Java heap
        var _ = copy.release();
      }
    }
  }

  // ---- as NIO buffers ----

  @Override
  public int nioBufferCount() {
    return 1;
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    checkIndex(index, length);
    return segment(page).asSlice(index, length).asByteBuffer();
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    checkIndex(index, length);
    ByteBuffer buffer = internalNioBuffer;
    if (buffer == null) {
      // A page for a growable buffer may be longer than a ByteBuffer can be.
      buffer = segment(page).asSlice(0, Math.min(room, LARGEST_BYTE_BUFFER)).asByteBuffer();
      internalNioBuffer = buffer;
    }
    return buffer.limit(index + length).position(index);
  }
}
