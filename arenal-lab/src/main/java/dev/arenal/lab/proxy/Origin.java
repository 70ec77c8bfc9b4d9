package dev.arenal.lab.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/**
 * The server behind the proxy, with one thread: a request is eight bytes, the length of its
 * response and where in the pattern it begins. It sends as fast as it is read, to all by turns.
 */
final class Origin implements AutoCloseable {
  /** Of a request. */
  static final int REQUEST_BYTES = 2 * Integer.BYTES;

  private static final int BACKLOG = 4096;

  private final Selector selector;
  private final ServerSocketChannel server;
  private final Thread thread;
  private final int pieceBytes;
  private volatile boolean isClosed;

  private Origin(Selector selector, ServerSocketChannel server, int pieceBytes) {
    this.selector = selector;
    this.server = server;
    this.pieceBytes = pieceBytes;
    this.thread = Thread.ofPlatform().daemon().name("origin").unstarted(this::run);
  }

  /**
   * One that serves, on a port of its own of this machine only.
   *
   * @param pieceBytes what it writes at a time: a buffer of the proxy has one of them or a few
   */
  static Origin open(int pieceBytes) throws IOException {
    Selector selector = Selector.open();
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
    Origin origin = new Origin(selector, server, pieceBytes);
    origin.thread.start();
    return origin;
  }

  int port() {
    return server.socket().getLocalPort();
  }

  private void run() {
    try {
      while (!isClosed) {
        selector.select();
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
          SelectionKey key = keys.next();
          keys.remove();
          if (key.attachment() instanceof Serving serving) {
            serve(key, serving);
          } else {
            accept();
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the origin ended", e);
    }
  }

  private void accept() throws IOException {
    for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true); // pieces are short segments
      channel.register(selector, SelectionKey.OP_READ, new Serving(channel));
    }
  }

  private void serve(SelectionKey key, Serving serving) throws IOException {
    if (!key.isValid()) {
      return;
    }
    try {
      serving.serve(key, pieceBytes);
    } catch (IOException e) {
      // The proxy has closed it, or was killed.
      serving.channel.close();
    }
  }

  /** A connection of the proxy: a request after the other. */
  private static final class Serving {
    private final SocketChannel channel;
    private final ByteBuffer request = ByteBuffer.allocate(REQUEST_BYTES);
    private int start;
    private int length;
    private int sent;

    Serving(SocketChannel channel) {
      this.channel = channel;
    }

    void serve(SelectionKey key, int pieceBytes) throws IOException {
      if (sent == length) {
        if (channel.read(request) < 0) {
          channel.close();
          return;
        }
        if (request.hasRemaining()) {
          return;
        }
        length = request.flip().getInt();
        start = request.getInt();
        request.clear();
        sent = 0;
      }
      sent +=
          channel.write(ResponsePattern.bytes(start, sent, Math.min(pieceBytes, length - sent)));
      key.interestOps(sent == length ? SelectionKey.OP_READ : SelectionKey.OP_WRITE);
    }
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return; // the process ends
    }
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
