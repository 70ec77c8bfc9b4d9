package dev.arenal.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server that sends back what it gets, and a client that compares; both with one allocator. */
final class Echo {
  /** The transport of the echo. */
  record Transport(
      String name,
      IoHandlerFactory handlers,
      Class<? extends ServerChannel> server,
      Class<? extends Channel> client) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** How it is kept secret. */
  record Secrecy(SslContext server, SslContext client) {}

  private static final int COUNT_BYTES = 3 << 20;
  private static final int STEP_BYTES = 70_000;

  private final ByteBufAllocator allocator;
  private final Transport transport;
  private final @Nullable Secrecy secrecy;

  /** Buffers that a channel has read: their kinds. */
  private final Queue<Class<?>> read = new ConcurrentLinkedQueue<>();

  Echo(ByteBufAllocator allocator, Transport transport, @Nullable Secrecy secrecy) {
    this.allocator = allocator;
    this.transport = transport;
    this.secrecy = secrecy;
  }

  /** Sends some megabytes there and back; returns the kinds of buffers that came from channels. */
  Queue<Class<?>> run(Random random) throws Exception {
    byte[] sent = new byte[COUNT_BYTES];
    random.nextBytes(sent);
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, transport.handlers());
    try {
      Channel server =
          new ServerBootstrap()
              .group(group)
              .channel(transport.server())
              .childOption(ChannelOption.ALLOCATOR, allocator)
              .childHandler(initializer(true, new ReturningHandler()))
              .bind(InetAddress.getLoopbackAddress(), 0)
              .sync()
              .channel();
      ComparingHandler comparing = new ComparingHandler(sent);
      Channel client =
          new Bootstrap()
              .group(group)
              .channel(transport.client())
              .option(ChannelOption.ALLOCATOR, allocator)
              .handler(initializer(false, comparing))
              .connect(((InetSocketAddress) server.localAddress()))
              .sync()
              .channel();
      send(client, sent);
      comparing.done.get(1, TimeUnit.MINUTES);
      client.close().sync();
      server.close().sync();
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
    return read;
  }

  /** Pieces of growing size, half of them heap buffers, some put together of two. */
  private void send(Channel client, byte[] sent) {
    int done = 0;
    for (int i = 0; done < sent.length; i++) {
      int length = Math.min(1 + (i * 997) % STEP_BYTES, sent.length - done);
      ByteBuf buffer = i % 2 == 0 ? allocator.directBuffer(16) : allocator.heapBuffer(16);
      buffer.writeBytes(sent, done, length / 2);
      ByteBuf rest = allocator.directBuffer(length - length / 2);
      rest.writeBytes(sent, done + length / 2, length - length / 2);
      if (i % 3 == 0) {
        var _ = client.write(allocator.compositeBuffer().addComponents(true, buffer, rest));
      } else {
        var _ = client.write(buffer);
        var _ = client.write(rest);
      }
      done += length;
    }
    client.flush();
  }

  private ChannelInitializer<Channel> initializer(
      boolean isServer, ChannelInboundHandlerAdapter last) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new NotingHandler());
        if (secrecy != null) {
          SslContext context = isServer ? secrecy.server() : secrecy.client();
          channel.pipeline().addLast(context.newHandler(channel.alloc()));
        }
        channel.pipeline().addLast(last);
      }
    };
  }

  /** Notes what the channel read into. */
  private final class NotingHandler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf buffer = (ByteBuf) message;
      while (buffer.unwrap() != null) {
        buffer = buffer.unwrap();
      }
      read.add(buffer.getClass());
      context.fireChannelRead(message);
    }
  }

  private static final class ReturningHandler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var _ = context.writeAndFlush(message);
    }
  }

  private static final class ComparingHandler extends SimpleChannelInboundHandler<ByteBuf> {
    final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private final byte[] expected;
    private int position;

    ComparingHandler(byte[] expected) {
      this.expected = expected;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
      byte[] got = new byte[message.readableBytes()];
      message.readBytes(got);
      int end = position + got.length;
      if (!Arrays.equals(got, 0, got.length, expected, position, end)) {
        done.completeExceptionally(new AssertionError("other bytes before position " + end));
      }
      position = end;
      if (position == expected.length) {
        done.complete(true);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      done.completeExceptionally(cause);
    }
  }
}
