package dev.arenal.lab.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection to the proxy, and the response that it waits for, each byte of which it checks. */
final class Client implements AutoCloseable {
  private final SocketChannel channel;
  private int start;
  private int length;
  private int received;

  private Client(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Connects.
   *
   * @param receiveBufferBytes what the kernel is to keep for it; null for what it does by itself
   */
  static Client connect(int port, @Nullable Integer receiveBufferBytes) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      if (receiveBufferBytes != null) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
      }
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.configureBlocking(false);
      return new Client(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  SocketChannel channel() {
    return channel;
  }

  /** Asks for a response of so many bytes. */
  void ask(int number, int responseBytes) throws IOException {
    start = ResponsePattern.start(number);
    length = responseBytes;
    received = 0;
    ByteBuffer request = ByteBuffer.allocate(Origin.REQUEST_BYTES);
    request.putInt(length).putInt(start).flip();
    channel.write(request);
    if (request.hasRemaining()) {
      throw new IOException("the kernel takes no request of 8 bytes");
    }
  }

  boolean isServed() {
    return received == length;
  }

  /**
   * Reads what there is, as far as the buffer takes it.
   *
   * @return how much
   * @throws IOException if the connection has ended too early
   * @throws IllegalStateException if a byte is not the one that was sent
   */
  int read(ByteBuffer buffer) throws IOException {
    buffer.clear().limit(Math.min(buffer.capacity(), Math.max(1, length - received)));
    int count = channel.read(buffer);
    if (count < 0) {
      throw new IOException(
          "connection was closed after %d of %d bytes".formatted(received, length));
    }
    ByteBuffer expected = ResponsePattern.bytes(start, received, count);
    int different = buffer.flip().mismatch(expected);
    if (different >= 0) {
      throw new IllegalStateException(
          "a response has bytes of something else: position=%d, lengthBytes=%d"
              .formatted(received + different, length));
    }
    received += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
