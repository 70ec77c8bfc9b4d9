package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of a stack that says where memory was asked for. */
final class BirthPlaceTest {
  private static final StackTraceElement LIBRARY = frame("dev.arenal.page.PageAllocator");
  private static final StackTraceElement PROGRAM = frame("com.example.Server");
  private static final StackTraceElement NAMESAKE = frame("dev.arenaltools.Server");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.arenal.netty.ArenalByteBufAllocator",
        "io.netty.buffer.AbstractByteBufAllocator",
        "io.grpc.netty.shaded.io.netty.buffer.AbstractByteBufAllocator",
        "org.apache.arrow.memory.BaseAllocator",
        "org.apache.arrow.vector.BaseFixedWidthVector",
        "java.lang.foreign.SegmentAllocator",
        "jdk.internal.foreign.StringSupport",
        "java.lang.invoke.LambdaForms",
        "jdk.internal.reflect.DirectMethodHandleAccessor",
      })
  void libraryAndWhatHandsOutItsBuffers_arePassedOver(String className) {
    assertThat(BirthStack.placeIn(List.of(LIBRARY, frame(className), PROGRAM, NAMESAKE)))
        .isEqualTo(PROGRAM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev.arenaltools.Server",
        "io.netty.handler.ssl.SslHandler",
        "com.example.netty.Buffer",
      })
  void others_areThePlace(String className) {
    assertThat(BirthStack.placeIn(List.of(LIBRARY, frame(className), PROGRAM)))
        .isEqualTo(frame(className));
  }

  @Test
  void libraryAlone_isItself() {
    assertThat(BirthStack.placeIn(List.of(LIBRARY, LIBRARY))).isEqualTo(LIBRARY);
  }

  /** With -XX:-StackTraceInThrowable there are none. */
  @Test
  void noFrames_areUnknown() {
    assertThat(BirthStack.placeIn(List.of()).toString())
        .isEqualTo("unknown.unknown(Unknown Source)");
  }

  /** From then on it refers to no class, and equal ones share their frames. */
  @Test
  void settledStack_saysTheSame() {
    Map<List<StackTraceElement>, List<StackTraceElement>> known = new HashMap<>();
    BirthStack[] stacks = new BirthStack[2];
    for (int i = 0; i < 2; i++) {
      stacks[i] = BirthStack.take();
      assertThat(stacks[i].isSettled()).isFalse();
    }
    for (BirthStack stack : stacks) {
      stack.settle(known);
      assertThat(stack.isSettled()).isTrue();
      stack.settle(known);
    }
    assertThat(known).hasSize(1);
    assertThat(stacks[0].place()).isEqualTo(stacks[1].place());
    Throwable thrown = stacks[1].toThrowable("made here");
    assertThat(thrown).hasMessage("made here");
    assertThat(thrown.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("settledStack_saysTheSame"));
  }

  private static StackTraceElement frame(String className) {
    return new StackTraceElement(className, "method", "File.java", 7);
  }
}
