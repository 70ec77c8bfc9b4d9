package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.page.PageAllocator;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Random;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Buffers on their way through channels, those that take addresses among them. */
final class TransportTest {
  private static final String PASSWORD = "secret";

  private final PageAllocator pages = Pages.open();
  private final ArenalByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true);

  @AfterEach
  void closePages() {
    assertThat(pages.usedBytes()).isZero();
    pages.close();
  }

  @Test
  void nio() throws Exception {
    echo(nioTransport(), null);
  }

  @Test
  void epoll() throws Exception {
    echo(epollTransport(), null);
  }

  /** A kernel may forbid it. */
  @Test
  @Tag("optional")
  void ioUring() throws Exception {
    assumeTrue(IoUring.isAvailable(), () -> "io_uring: " + IoUring.unavailabilityCause());
    echo(
        new Echo.Transport(
            "io_uring",
            IoUringIoHandler.newFactory(),
            IoUringServerSocketChannel.class,
            IoUringSocketChannel.class),
        null);
  }

  @Test
  void tlsOfTheJdk_overNio(@TempDir Path folder) throws Exception {
    echo(nioTransport(), secrecy(SslProvider.JDK, folder));
  }

  @Test
  void tlsOfOpenSsl_overEpoll(@TempDir Path folder) throws Exception {
    OpenSsl.ensureAvailability();
    echo(epollTransport(), secrecy(SslProvider.OPENSSL, folder));
  }

  private void echo(Echo.Transport transport, Echo.@Nullable Secrecy secrecy) throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    assertThat(new Echo(allocator, transport, secrecy).run(new Random(seed)))
        .as("kinds of buffers read, seed %d", seed)
        .isNotEmpty()
        .containsOnly(PageByteBuf.class);
  }

  private static Echo.Transport nioTransport() {
    return new Echo.Transport(
        "nio", NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
  }

  private static Echo.Transport epollTransport() {
    Epoll.ensureAvailability();
    return new Echo.Transport(
        "epoll",
        EpollIoHandler.newFactory(),
        EpollServerSocketChannel.class,
        EpollSocketChannel.class);
  }

  private static Echo.Secrecy secrecy(SslProvider provider, Path folder) throws Exception {
    SslContext server = SslContextBuilder.forServer(keys(folder)).sslProvider(provider).build();
    SslContext client =
        SslContextBuilder.forClient()
            .sslProvider(provider)
            .trustManager(InsecureTrustManagerFactory.INSTANCE)
            .endpointIdentificationAlgorithm(null)
            .build();
    return new Echo.Secrecy(server, client);
  }

  /** A key that the JDK's own tool makes, as no API does. */
  private static KeyManagerFactory keys(Path folder) throws Exception {
    Path file = folder.resolve("keys.p12");
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "test",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertThat(tool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    return keys;
  }
}
