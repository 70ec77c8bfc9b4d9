package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.NettyProgram;
import dev.arenal.page.OpenBuffers;
import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buffers that are lost beside Netty's own leak detection, whatever that is set to. */
@Timeout(60)
final class LostBuffersTest {
  /** So many are never without one that is watched. */
  private static final int COUNT_LOST = 5000;

  private static final String PLACE = "com\\.example\\.NettyProgram\\.lose\\(.*\\.java:\\d+\\)";

  private final ResourceLeakDetector.Level usual = ResourceLeakDetector.getLevel();
  private final Logger ours = Logger.getLogger("dev.arenal");
  private final Logger nettys = Logger.getLogger(ResourceLeakDetector.class.getName());
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry
              .getMessage()
              .startsWith(
                  "buffer was never closed: allocator=loser ")) { // other tests lose things, too
            messages.add(entry.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    ours.addHandler(handler);
    ours.setUseParentHandlers(false);
    nettys.setUseParentHandlers(false);
  }

  @AfterEach
  void restore() {
    ResourceLeakDetector.setLevel(usual);
    ours.removeHandler(handler);
    ours.setUseParentHandlers(true);
    nettys.setUseParentHandlers(true);
  }

  @ParameterizedTest
  @EnumSource(
      value = ResourceLeakDetector.Level.class,
      names = {"DISABLED", "PARANOID"})
  void lostBuffers_areWarnedOfOnce_andAllGoesOn(ResourceLeakDetector.Level level) throws Exception {
    ResourceLeakDetector.setLevel(level);
    PageAllocator pages = PageAllocator.builder("loser " + level).capacityBytes(64 << 20).build();
    ArenalByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true);
    NettyProgram.lose(allocator, COUNT_LOST);
    while (messages.isEmpty()) {
      System.gc();
      Thread.sleep(10);
      assertThat(allocator.directBuffer(64).release()).isTrue();
    }
    assertThat(messages).hasSize(1);
    assertThat(messages.peek())
        .matches(
            "buffer was never closed: allocator=loser "
                + level
                + ", users=\\[Netty], sizeBytes=100,"
                + " age=SHORT_LIVED, place="
                + PLACE
                + " \\(its memory stays, since its address may be held; close it where it was last"
                + " used; others of that place are counted in openBuffers, each with"
                + " -Darenal\\.leaks=all\\)");
    assertThat(pages.openBuffers())
        .anyMatch(group -> group.isLost() && group.place().toString().matches(PLACE));
    assertThat(pages.usedBytes()).isEqualTo(100L * COUNT_LOST);
    ByteBuf buffer = allocator.directBuffer(100).writeLong(42);
    assertThat(buffer.readLong()).isEqualTo(42);
    assertThat(buffer.release()).isTrue();
  }

  /** A page of its own is always watched; the place is the program's, not Netty's. */
  @Test
  void openBuffer_hasThePlaceOfTheProgram_untilItIsReleased() {
    PageAllocator pages = Pages.open();
    ArenalByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true);
    ByteBuf buffer = NettyProgram.take(allocator, 3 << 20);
    ByteBuf slice = buffer.retainedSlice(0, 100);
    assertThat(buffer.release()).isFalse();
    assertThat(pages.openBuffers()).hasSize(1);
    OpenBuffers group = pages.openBuffers().getFirst();
    assertThat(group.place().getClassName()).isEqualTo(NettyProgram.class.getName());
    assertThat(group.totalBytes()).isEqualTo(3 << 20);
    assertThat(slice.release()).isTrue();
    pages.assertNoOpenBuffers();
    pages.close();
  }
}
