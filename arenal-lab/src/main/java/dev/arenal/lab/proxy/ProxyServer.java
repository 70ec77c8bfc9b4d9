package dev.arenal.lab.proxy;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A proxy as Netty's users write it: what the origin sends is read at once and waits here for the
 * client, up to the high water mark of the client's channel. Nothing in it knows which allocator it
 * has.
 */
final class ProxyServer {
  private static final int BACKLOG = 4096;

  private final LongAdder waitingBytes = new LongAdder();
  private final ByteBufAllocator allocator;
  private final InetSocketAddress origin;
  private final WriteBufferWaterMark waterMark;
  private final int sendBufferBytes;
  private final boolean isEpoll;
  private final EventLoopGroup boss;
  private final EventLoopGroup workers;

  /**
   * One that is to be bound.
   *
   * @param highBytes what may wait for a client before the origin is not read any more
   * @param sendBufferBytes what the kernel keeps for a client beside that; 0 for its own choice
   * @param transport not {@link ProxyTransport#AUTO}
   */
  ProxyServer(
      ByteBufAllocator allocator,
      int originPort,
      int highBytes,
      int sendBufferBytes,
      ProxyTransport transport) {
    this.allocator = allocator;
    this.origin = new InetSocketAddress(InetAddress.getLoopbackAddress(), originPort);
    this.sendBufferBytes = sendBufferBytes;
    this.waterMark = new WriteBufferWaterMark(highBytes / 2, highBytes);
    this.isEpoll = transport == ProxyTransport.EPOLL;
    IoHandlerFactory handlers = isEpoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.boss = new MultiThreadIoEventLoopGroup(1, handlers);
    this.workers = new MultiThreadIoEventLoopGroup(0, handlers); // Netty's own number
  }

  /** Serves, on a port of its own of this machine only, and returns the port. */
  int bind() throws InterruptedException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(boss, workers)
            .channel(isEpoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.ALLOCATOR, allocator)
            .childOption(ChannelOption.ALLOCATOR, allocator)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Front());
                  }
                });
    if (sendBufferBytes > 0) {
      bootstrap.childOption(ChannelOption.SO_SNDBUF, sendBufferBytes);
    }
    Channel channel = bootstrap.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    return ((InetSocketAddress) channel.localAddress()).getPort();
  }

  /** Bytes that have come from the origin, and were not yet taken by the kernel for a client. */
  long waitingBytes() {
    return waitingBytes.sum();
  }

  private void write(Channel to, ByteBuf message) {
    int sizeBytes = message.readableBytes();
    waitingBytes.add(sizeBytes);
    var _ = to.write(message).addListener((ChannelFuture _) -> waitingBytes.add(-sizeBytes));
  }

  private static void closeOnFlush(Channel channel) {
    if (channel.isActive()) {
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** The side of the client. */
  private final class Front extends ChannelInboundHandlerAdapter {
    private @Nullable Channel back;

    private Channel back() {
      return Objects.requireNonNull(back);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      Channel front = context.channel();
      ChannelFuture connecting =
          new Bootstrap()
              .group(front.eventLoop())
              .channel(isEpoll ? EpollSocketChannel.class : NioSocketChannel.class)
              .option(ChannelOption.ALLOCATOR, allocator)
              .handler(new Back(front))
              .connect(origin);
      back = connecting.channel();
      connecting.addListener((ChannelFuture done) -> {
        if (done.isSuccess()) {
          front.config().setAutoRead(true);
        } else {
          var _ = front.close();
        }
      });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      write(back(), (ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      back().flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      back().config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      closeOnFlush(back());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }

  /** The side of the origin. */
  private final class Back extends ChannelInboundHandlerAdapter {
    private final Channel front;

    Back(Channel front) {
      this.front = front;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      write(front, (ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      front.flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      closeOnFlush(front);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      var _ = context.close();
    }
  }
}
