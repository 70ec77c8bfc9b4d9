package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The line of a stack that says where a buffer was asked for. */
final class BirthPlaceTest {
  private static final StackTraceElement LIBRARY = frame("dev.arenal.page.PageAllocator");
  private static final StackTraceElement ADAPTER = frame("dev.arenal.netty.ArenalByteBufAllocator");
  private static final StackTraceElement PROGRAM = frame("com.example.Server");
  private static final StackTraceElement NAMESAKE = frame("dev.arenaltools.Server");

  @Test
  void firstFrameThatIsNotTheLibrarys() {
    assertThat(of(LIBRARY, ADAPTER, PROGRAM, NAMESAKE)).isEqualTo(PROGRAM);
    assertThat(of(LIBRARY, NAMESAKE, PROGRAM)).isEqualTo(NAMESAKE);
  }

  @Test
  void libraryAlone_isItself() {
    assertThat(of(LIBRARY, ADAPTER)).isEqualTo(ADAPTER);
  }

  /** With -XX:-StackTraceInThrowable there are none. */
  @Test
  void noFrames_areUnknown() {
    assertThat(of().toString()).isEqualTo("unknown.unknown(Unknown Source)");
  }

  private static StackTraceElement of(StackTraceElement... stack) {
    return BirthPlace.of(stack);
  }

  private static StackTraceElement frame(String className) {
    return new StackTraceElement(className, "method", "File.java", 7);
  }
}
