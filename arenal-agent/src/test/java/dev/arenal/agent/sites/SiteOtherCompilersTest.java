package dev.arenal.agent.sites;

import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_void;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code as compilers write it that are not at hand here: older javac, Kotlin, D8. */
final class SiteOtherCompilersTest {
  private static final MethodTypeDesc CLOSE_FINALLY =
      MethodTypeDesc.of(CD_void, HandBuilt.AUTO_CLOSEABLE, CD_Throwable);

  /** The exception is noted, thrown again, and the finally asks whether there was one. */
  @Test
  void javac8_isTryWithResources() {
    Consumer<CodeBuilder> code =
        c -> {
          HandBuilt.open(c);
          c.astore(0).aconst_null().astore(1);
          Label body = c.newBoundLabel();
          HandBuilt.work(c);
          Label bodyEnd = c.newBoundLabel();
          closeAfterCheck(c);
          Label end = c.newLabel();
          c.goto_(end);
          Label caught = c.newBoundLabel();
          c.astore(2).aload(2).astore(1).aload(2).athrow();
          Label anything = c.newBoundLabel();
          c.astore(3);
          closeAfterCheck(c);
          c.aload(3).athrow();
          c.labelBinding(end).return_();
          c.exceptionCatch(body, bodyEnd, caught, CD_Throwable);
          c.exceptionCatchAll(body, bodyEnd, anything);
          c.exceptionCatchAll(caught, anything, anything);
        };

    assertThat(HandBuilt.shape(code)).isEqualTo(SiteShape.TRY_WITH_RESOURCES);
  }

  private static void closeAfterCheck(CodeBuilder c) {
    Label done = c.newLabel();
    Label plainly = c.newLabel();
    c.aload(0).ifnull(done).aload(1).ifnull(plainly);
    Label start = c.newBoundLabel();
    HandBuilt.close(c, 0);
    Label startEnd = c.newBoundLabel();
    c.goto_(done);
    Label failed = c.newBoundLabel();
    c.astore(4).aload(1).aload(4);
    c.invokevirtual(CD_Throwable, "addSuppressed", HandBuilt.SUPPRESSES).goto_(done);
    c.labelBinding(plainly);
    HandBuilt.close(c, 0);
    c.labelBinding(done);
    c.exceptionCatch(start, startEnd, failed, CD_Throwable);
  }

  /** javac 9 and 10 call a method of the class instead. */
  @Test
  void javac9_isTryWithResources() {
    Consumer<CodeBuilder> code =
        c -> {
          HandBuilt.open(c);
          c.astore(0);
          withHandler(
              c,
              () -> HandBuilt.work(c),
              () -> closeResource(c.aconst_null().aload(0)),
              () -> closeResource(c.aload(1).aload(0)));
        };

    assertThat(HandBuilt.shape(code)).isEqualTo(SiteShape.TRY_WITH_RESOURCES);
  }

  private static void closeResource(CodeBuilder c) {
    c.invokestatic(
        HandBuilt.SELF,
        "$closeResource",
        MethodTypeDesc.of(CD_void, CD_Throwable, HandBuilt.AUTO_CLOSEABLE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kotlin.AutoCloseableKt",
        "kotlin.jdk7.AutoCloseableKt",
        "kotlin.io.CloseableKt",
        "shaded.by.someone.kotlin.jdk7.AutoCloseableKt"
      })
  void use_isKotlinUse(String owner) {
    assertThat(HandBuilt.shape(use(owner, "closeFinally"))).isEqualTo(SiteShape.KOTLIN_USE);
  }

  /** A function of the user with another name may do anything. */
  @Test
  void useLikeHelper_isPassedOn() {
    assertThat(HandBuilt.shape(use("kotlin.AutoCloseableKt", "finallyClose")))
        .isEqualTo(SiteShape.PASSED_ON);
    assertThat(HandBuilt.shape(use("my.Helper", "closeFinally"))).isEqualTo(SiteShape.PASSED_ON);
  }

  private static Consumer<CodeBuilder> use(String owner, String name) {
    ClassDesc helper = ClassDesc.of(owner);
    return c -> {
      HandBuilt.open(c);
      c.checkcast(HandBuilt.AUTO_CLOSEABLE).astore(0).aconst_null().astore(1);
      Label body = c.newBoundLabel();
      c.aload(0).checkcast(HandBuilt.ARENA).astore(2);
      HandBuilt.work(c);
      Label bodyEnd = c.newBoundLabel();
      c.aload(0).aload(1).invokestatic(helper, name, CLOSE_FINALLY);
      Label end = c.newLabel();
      c.goto_(end);
      Label caught = c.newBoundLabel();
      c.astore(3).aload(3).astore(1).aload(3).athrow();
      Label anything = c.newBoundLabel();
      c.astore(3).aload(0).aload(1).invokestatic(helper, name, CLOSE_FINALLY).aload(3).athrow();
      c.labelBinding(end).return_();
      c.exceptionCatch(body, bodyEnd, caught, CD_Throwable);
      c.exceptionCatchAll(body, bodyEnd, anything);
      c.exceptionCatchAll(caught, anything, anything);
    };
  }

  /** Kotlin puts marks for its inliner between the body and what closes. */
  @Test
  void kotlinMarksAndChecks_doNotCount() {
    ClassDesc helper = ClassDesc.of("kotlin.AutoCloseableKt");
    Consumer<CodeBuilder> code =
        c -> {
          HandBuilt.open(c);
          c.dup().ldc("ofConfined(...)");
          c.invokestatic(
              ClassDesc.of("kotlin.jvm.internal.Intrinsics"),
              "checkNotNullExpressionValue",
              MethodTypeDesc.ofDescriptor("(Ljava/lang/Object;Ljava/lang/String;)V"));
          c.astore(0);
          withHandler(
              c,
              () -> HandBuilt.work(c),
              () -> {
                mark(c);
                c.aload(0).aconst_null().invokestatic(helper, "closeFinally", CLOSE_FINALLY);
              },
              () -> {
                mark(c);
                c.aload(0).aload(1).invokestatic(helper, "closeFinally", CLOSE_FINALLY);
              });
        };

    assertThat(HandBuilt.shape(code)).isEqualTo(SiteShape.KOTLIN_USE);
  }

  private static void mark(CodeBuilder c) {
    c.iconst_1();
    c.invokestatic(
        ClassDesc.of("kotlin.jvm.internal.InlineMarker"),
        "finallyStart",
        MethodTypeDesc.ofDescriptor("(I)V"));
  }

  /** The code of D8 for devices whose Throwable has no such method. */
  @Test
  void staticAddSuppressed_isTryWithResources() {
    assertThat(HandBuilt.shape(suppressing(false))).isEqualTo(SiteShape.TRY_WITH_RESOURCES);
  }

  /** The exception of the closing as the receiver: the wrong one would be lost. */
  @Test
  void suppressedTheWrongWayRound_isByHand() {
    assertThat(HandBuilt.shape(suppressing(true))).isEqualTo(SiteShape.CLOSED_IN_METHOD);
  }

  private static Consumer<CodeBuilder> suppressing(boolean isWrongWayRound) {
    return c -> {
      HandBuilt.open(c);
      c.astore(0);
      withHandler(
          c,
          () -> HandBuilt.work(c),
          () -> HandBuilt.close(c, 0),
          () -> {
            Label start = c.newBoundLabel();
            HandBuilt.close(c, 0);
            Label end = c.newBoundLabel();
            Label done = c.newLabel();
            c.goto_(done);
            c.exceptionCatch(start, end, c.newBoundLabel(), CD_Throwable);
            c.astore(2).aload(isWrongWayRound ? 2 : 1).aload(isWrongWayRound ? 1 : 2);
            c.invokestatic(
                ClassDesc.of("backport.Throwables"),
                "addSuppressed",
                MethodTypeDesc.of(CD_void, CD_Throwable, CD_Throwable));
            c.labelBinding(done);
          });
    };
  }

  /** A body with one handler that stores the exception in slot 1 and throws it on. */
  private static void withHandler(
      CodeBuilder c, Runnable body, Runnable closeAfter, Runnable closeInHandler) {
    Label start = c.newBoundLabel();
    body.run();
    Label end = c.newBoundLabel();
    closeAfter.run();
    c.return_();
    Label handler = c.newBoundLabel();
    c.astore(1);
    closeInHandler.run();
    c.aload(1).athrow();
    c.exceptionCatch(start, end, handler, CD_Throwable);
  }
}
