package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The examples of docs/netty.md, word for word: the lab's DocumentedCodeTest compares them. */
final class DocumentedExamplesTest {
  @Test
  void bootstrap_hasTheAllocator() {
    ServerBootstrap bootstrap = new ServerBootstrap();

    bootstrap.option(ChannelOption.ALLOCATOR, ArenalByteBufAllocator.DEFAULT);
    bootstrap.childOption(ChannelOption.ALLOCATOR, ArenalByteBufAllocator.DEFAULT);

    assertThat(bootstrap.config().options())
        .containsEntry(ChannelOption.ALLOCATOR, ArenalByteBufAllocator.DEFAULT);
    assertThat(bootstrap.config().childOptions())
        .containsEntry(ChannelOption.ALLOCATOR, ArenalByteBufAllocator.DEFAULT);
  }

  @Test
  void allocatorOfItsOwn_hasItsBuffersFromTheBudget() {
    Budget offHeap = Budget.limitedTo("off-heap", 64 << 20);

    PageAllocator pages =
        PageAllocator.builder("network")
            .capacityBytes(2L << 30)
            .budget(offHeap)
            .uncommitDelay(Duration.ofSeconds(30))
            .zeroed(false) // as Netty's: no code relies on zeros
            .build();
    ByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true); // buffer() is direct

    ByteBuf buffer = allocator.buffer(1000);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(offHeap.committedBytes()).isPositive();
    assertThat(buffer.release()).isTrue();
    pages.close();
  }
}
