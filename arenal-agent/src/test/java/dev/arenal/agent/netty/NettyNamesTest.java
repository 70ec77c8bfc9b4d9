package dev.arenal.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class NettyNamesTest {
  @Test
  void allocators_areKnownWhereverTheyAre() {
    assertThat(NettyNames.isAllocator("io/netty/buffer/PooledByteBufAllocator")).isTrue();
    assertThat(NettyNames.isAllocator("io/netty/buffer/AdaptiveByteBufAllocator")).isTrue();
    assertThat(NettyNames.isAllocator("a/b/io/netty/buffer/PooledByteBufAllocator")).isTrue();
    assertThat(NettyNames.isAllocator("a/shaded_netty/buffer/PooledByteBufAllocator")).isTrue();
    assertThat(NettyNames.isAllocator("netty/buffer/PooledByteBufAllocator")).isTrue();
  }

  @Test
  void others_areNot() {
    assertThat(NettyNames.isAllocator(null)).isFalse();
    assertThat(NettyNames.isAllocator("io/notnetty/buffer/PooledByteBufAllocator")).isFalse();
    assertThat(NettyNames.isAllocator("io/netty/buffer/UnpooledByteBufAllocator")).isFalse();
    assertThat(NettyNames.isAllocator("io/netty/buffer/PooledByteBufAllocator$1")).isFalse();
    assertThat(NettyNames.isAllocator("io/netty/PooledByteBufAllocator")).isFalse();
  }

  @Test
  void root_isThePackageAboveThatOfBuffers() {
    assertThat(NettyNames.rootOf("io/netty/buffer/PooledByteBufAllocator")).isEqualTo("io/netty/");
    assertThat(NettyNames.rootOf("a/io/netty/buffer/X")).isEqualTo("a/io/netty/");
  }
}
