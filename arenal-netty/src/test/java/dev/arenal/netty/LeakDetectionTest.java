package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Netty's leak detection at each of its levels. */
final class LeakDetectionTest {
  private static final int MOST_TRIES = 2000;

  /** More than Netty looks at one of. */
  private static final int COUNT_LOST = 1000;

  private final ResourceLeakDetector.Level usual = ResourceLeakDetector.getLevel();
  private final Logger logger = Logger.getLogger(ResourceLeakDetector.class.getName());
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          messages.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Stays open: buffers are lost on purpose. */
  private final PageAllocator pages = Pages.open();

  private final ArenalByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true);

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void restore() {
    ResourceLeakDetector.setLevel(usual);
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @ParameterizedTest
  @EnumSource(ResourceLeakDetector.Level.class)
  void lostBuffer_isReportedAsTheLevelSays(ResourceLeakDetector.Level level) throws Exception {
    ResourceLeakDetector.setLevel(level);
    for (int i = 0; i < COUNT_LOST; i++) {
      ByteBuf lost = allocator.directBuffer(100 + i % 7);
      lost.writeInt(7).touch(level); // Netty says the same thing once only
    }
    boolean isWanted = level != ResourceLeakDetector.Level.DISABLED;
    for (int i = 0; i < (isWanted ? MOST_TRIES : 3) && messages.isEmpty(); i++) {
      System.gc();
      Thread.sleep(10);
      for (int j = 0; j < COUNT_LOST; j++) { // Netty reports where it begins to watch another one
        assertThat(allocator.directBuffer(64).release()).isTrue();
      }
    }
    if (!isWanted) {
      assertThat(messages).isEmpty();
      return;
    }
    String start = "LEAK: ByteBuf.release() was not called before it's garbage-collected.";
    assertThat(messages).isNotEmpty().allSatisfy(text -> assertThat(text).startsWith(start));
    boolean isRecorded = level.compareTo(ResourceLeakDetector.Level.SIMPLE) > 0;
    assertThat(messages)
        .allSatisfy(text -> assertThat(text.contains("Hint: " + level)).isEqualTo(isRecorded));
  }
}
