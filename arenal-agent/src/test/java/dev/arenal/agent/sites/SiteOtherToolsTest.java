package dev.arenal.agent.sites;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Code that coverage tools and profilers put between that of a compiler. */
final class SiteOtherToolsTest {
  private static final ClassDesc FLAGS = CD_boolean.arrayType();
  private static final ClassDesc COUNTS = CD_int.arrayType();
  private static final DirectMethodHandleDesc BOOTSTRAP =
      ConstantDescs.ofConstantBootstrap(HandBuilt.SELF, "bootstrap", CD_Object);
  private static final int PROBES = 7;

  /** As JaCoCo begins a method since Java 11. */
  @Test
  void flagsOfAConstant_doNotThrow() {
    assertUndisturbed(
        c ->
            c.loadConstant(DynamicConstantDesc.ofNamed(BOOTSTRAP, "$jacocoData", CD_Object))
                .checkcast(FLAGS)
                .astore(PROBES),
        SiteOtherToolsTest::setFlag);
  }

  /** As JaCoCo begins a method of an older class or an interface. */
  @Test
  void flagsOfAnAddedMethod_doNotThrow() {
    assertUndisturbed(
        c -> c.invokestatic(HandBuilt.SELF, "$jacocoInit", MethodTypeDesc.of(FLAGS)).astore(PROBES),
        SiteOtherToolsTest::setFlag);
  }

  /** As IntelliJ counts, where it is asked how often a line has run. */
  @Test
  void countsOfAnAddedField_doNotThrow() {
    assertUndisturbed(
        c -> c.getstatic(HandBuilt.SELF, "__$hits$__", COUNTS).astore(PROBES),
        c -> c.aload(PROBES).bipush(3).dup2().iaload().iconst_1().iadd().iastore());
  }

  /** The program's own array is unknown: it may be null, or too short. */
  @Test
  void arrayOfTheProgram_mayThrow() {
    assertDisturbed(
        c -> c.invokestatic(HandBuilt.SELF, "flags", MethodTypeDesc.of(FLAGS)).astore(PROBES),
        SiteOtherToolsTest::setFlag);
    assertDisturbed(c -> c.aload(0).astore(PROBES), SiteOtherToolsTest::setFlag);
  }

  /** A name with a dollar alone does not do it: the local has another array later on. */
  @Test
  void arrayThatIsReplaced_mayThrow() {
    assertDisturbed(
        c -> {
          c.invokestatic(HandBuilt.SELF, "$jacocoInit", MethodTypeDesc.of(FLAGS)).astore(PROBES);
          c.aload(0).astore(PROBES);
        },
        SiteOtherToolsTest::setFlag);
  }

  @Test
  void callOfAProfiler_isTheOnlyDisturbance() {
    assertDisturbed(c -> {}, HandBuilt::work);
  }

  /** A finally written by hand stays what it is, whatever a tool puts into it. */
  @Test
  void closedByHand_isNotDisturbed() {
    Consumer<CodeBuilder> code =
        c -> {
          HandBuilt.open(c);
          c.astore(1);
          Label body = c.newBoundLabel();
          HandBuilt.work(c);
          Label bodyEnd = c.newBoundLabel();
          HandBuilt.work(c);
          HandBuilt.close(c, 1);
          c.return_();
          Label caught = c.newBoundLabel();
          c.astore(2);
          HandBuilt.close(c, 1);
          c.aload(2).athrow();
          c.exceptionCatchAll(body, bodyEnd, caught);
        };
    Site site = HandBuilt.sites(code).getFirst();
    assertThat(site.shape()).isEqualTo(SiteShape.CLOSED_IN_METHOD);
    assertThat(site.isDisturbed()).isFalse();
  }

  private static void setFlag(CodeBuilder c) {
    c.aload(PROBES).sipush(300).iconst_1().bastore();
  }

  private static void assertUndisturbed(Consumer<CodeBuilder> start, Consumer<CodeBuilder> probe) {
    Site site = HandBuilt.sites(tryWithResources(start, probe)).getFirst();
    assertThat(site.shape()).isEqualTo(SiteShape.TRY_WITH_RESOURCES);
    assertThat(site.isDisturbed()).isFalse();
  }

  private static void assertDisturbed(Consumer<CodeBuilder> start, Consumer<CodeBuilder> probe) {
    Site site = HandBuilt.sites(tryWithResources(start, probe)).getFirst();
    assertThat(site.shape()).isEqualTo(SiteShape.CLOSED_IN_METHOD);
    assertThat(site.isDisturbed()).isTrue();
  }

  /** As javac writes it, with a probe wherever JaCoCo puts one. */
  private static Consumer<CodeBuilder> tryWithResources(
      Consumer<CodeBuilder> start, Consumer<CodeBuilder> probe) {
    return c -> {
      start.accept(c);
      HandBuilt.open(c);
      c.astore(1);
      Label body = c.newBoundLabel();
      probe.accept(c);
      HandBuilt.work(c);
      Label bodyEnd = c.newBoundLabel();
      Label mustClose = c.newLabel();
      Label end = c.newLabel();
      c.aload(1).ifnonnull(mustClose);
      probe.accept(c);
      c.goto_(end).labelBinding(mustClose);
      probe.accept(c);
      HandBuilt.close(c, 1);
      probe.accept(c);
      c.goto_(end);
      Label caught = c.newBoundLabel();
      c.astore(2);
      probe.accept(c);
      Label close = c.newBoundLabel();
      HandBuilt.close(c, 1);
      Label closeEnd = c.newBoundLabel();
      Label rethrow = c.newLabel();
      probe.accept(c);
      c.goto_(rethrow);
      Label failed = c.newBoundLabel();
      c.astore(3).aload(2).aload(3);
      c.invokevirtual(CD_Throwable, "addSuppressed", HandBuilt.SUPPRESSES);
      probe.accept(c);
      c.labelBinding(rethrow);
      probe.accept(c);
      c.aload(2).athrow();
      c.labelBinding(end);
      probe.accept(c);
      c.return_();
      c.exceptionCatch(body, bodyEnd, caught, CD_Throwable);
      c.exceptionCatch(close, closeEnd, failed, CD_Throwable);
    };
  }

  @Test
  void shapeWithoutProbes_isTheOneThatIsTried() {
    assertUndisturbed(c -> {}, c -> {});
  }
}
