package dev.arenal.agent.sites;

import static java.lang.constant.ConstantDescs.CD_Throwable;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code that no compiler writes: it ends soon, and nothing is promised of its arenas. */
@Timeout(60)
final class SiteHostileCodeTest {
  @Test
  void arenaKeptOnTheStack_isFollowedThroughIt() {
    assertThat(
            HandBuilt.shape(c -> {
              c.lconst_0();
              HandBuilt.open(c);
              c.dup_x2().pop().pop2().dup().pop().aconst_null().swap().dup_x1().pop();
              c.invokeinterface(HandBuilt.ARENA, "close", MethodTypeDesc.ofDescriptor("()V"));
              c.return_();
            }))
        .isEqualTo(SiteShape.NEVER_CLOSED);
    assertThat(
            HandBuilt.shape(c -> {
              c.lconst_0();
              HandBuilt.open(c);
              c.dup_x2().pop().pop2().iconst_0().swap().dup_x1().swap().pop();
              c.invokeinterface(HandBuilt.ARENA, "close", MethodTypeDesc.ofDescriptor("()V"));
              c.return_();
            }))
        .isEqualTo(SiteShape.CLOSED_IN_METHOD);
  }

  @Test
  void subroutine_isNotFollowed() {
    Consumer<CodeBuilder> code =
        c -> {
          Label sub = c.newLabel();
          HandBuilt.open(c);
          c.astore(0);
          c.with(DiscontinuedInstruction.JsrInstruction.of(sub));
          c.return_();
          c.labelBinding(sub);
          c.astore(1);
          HandBuilt.close(c, 0);
          c.with(DiscontinuedInstruction.RetInstruction.of(1));
        };

    assertThat(HandBuilt.shape(code)).isEqualTo(SiteShape.PASSED_ON);
  }

  @Test
  void stackThatGrowsForEver_isGivenUp() {
    assertThat(
            HandBuilt.shape(c -> {
              HandBuilt.open(c);
              Label again = c.newBoundLabel();
              c.dup().goto_(again);
            }))
        .isEqualTo(SiteShape.PASSED_ON);
  }

  @Test
  void stackThatShrinksForEver_isGivenUp() {
    assertThat(
            HandBuilt.shape(c -> {
              HandBuilt.open(c);
              c.astore(0);
              Label again = c.newBoundLabel();
              c.aload(0).pop2().goto_(again);
            }))
        .isEqualTo(SiteShape.PASSED_ON);
  }

  @Test
  void codeThatRunsOffItsEnd_isGivenUp() {
    assertThat(HandBuilt.shape(HandBuilt::open)).isEqualTo(SiteShape.PASSED_ON);
  }

  @Test
  void handlerThatCatchesItself_ends() {
    assertThat(
            HandBuilt.shape(c -> {
              HandBuilt.open(c);
              c.astore(0);
              Label start = c.newBoundLabel();
              HandBuilt.work(c);
              c.return_();
              Label handler = c.newBoundLabel();
              c.astore(1);
              HandBuilt.close(c, 0);
              HandBuilt.work(c);
              c.aload(1).athrow();
              c.exceptionCatchAll(start, c.newBoundLabel(), handler);
              c.nop();
            }))
        .isEqualTo(SiteShape.CLOSED_IN_METHOD);
  }

  /** Sixteen variables that each may hold the arena: 65,536 frames without a limit. */
  @Test
  void tooManyWays_areGivenUp() {
    Consumer<CodeBuilder> few = tryWithResources(c -> maybeCopy(c, 4));
    Consumer<CodeBuilder> many = tryWithResources(c -> maybeCopy(c, 16));

    assertThat(HandBuilt.shape(few)).isEqualTo(SiteShape.TRY_WITH_RESOURCES);
    assertThat(HandBuilt.shape(many).isAlwaysClosed()).isFalse();
  }

  private static void maybeCopy(CodeBuilder c, int variableCount) {
    for (int slot = 10; slot < 10 + variableCount; slot++) {
      Label skip = c.newLabel();
      c.iload(40).ifeq(skip).aload(0).astore(slot).labelBinding(skip);
    }
    for (int slot = 10; slot < 10 + variableCount; slot++) {
      c.aload(slot).pop();
    }
  }

  @Test
  void thousandsOfSites_inOneMethod_areAllFound() {
    Consumer<CodeBuilder> code =
        c -> {
          for (int i = 0; i < 12_000; i++) {
            HandBuilt.open(c);
            c.astore(i % 200);
          }
          c.return_();
        };

    List<Site> sites = HandBuilt.sites(code);
    assertThat(sites).hasSize(12_000);
    assertThat(sites.getFirst().shape()).isEqualTo(SiteShape.NEVER_CLOSED);
    assertThat(sites).noneMatch(site -> site.shape().isAlwaysClosed());
  }

  @Test
  void largestSwitchAndFarthestJump_areFollowed() {
    Consumer<CodeBuilder> code =
        c -> {
          HandBuilt.open(c);
          c.astore(300);
          Label far = c.newLabel();
          List<SwitchCase> cases = new ArrayList<>();
          for (int i = 0; i < 3_000; i++) {
            cases.add(SwitchCase.of(i * 7, far));
          }
          c.iload(1).lookupswitch(far, cases);
          for (int i = 0; i < 34_000; i++) {
            c.nop();
          }
          c.labelBinding(far);
          HandBuilt.close(c, 300);
          c.return_();
        };

    assertThat(HandBuilt.shape(code)).isEqualTo(SiteShape.CLOSED_IN_METHOD);
  }

  /** One way out of many on which the arena stays open makes all the difference. */
  @Test
  void oneWayThatLeavesItOpen_isSeen() {
    Consumer<CodeBuilder> leaking =
        tryWithResources(c -> {
          Label skip = c.newLabel();
          c.iload(5).ifeq(skip).return_().labelBinding(skip);
        });

    assertThat(HandBuilt.shape(tryWithResources(c -> {}))).isEqualTo(SiteShape.TRY_WITH_RESOURCES);
    assertThat(HandBuilt.shape(leaking)).isEqualTo(SiteShape.CLOSED_IN_METHOD);
  }

  private static Consumer<CodeBuilder> tryWithResources(Consumer<CodeBuilder> body) {
    return c -> {
      HandBuilt.open(c);
      c.astore(0);
      Label start = c.newBoundLabel();
      HandBuilt.work(c);
      body.accept(c);
      Label end = c.newBoundLabel();
      HandBuilt.close(c, 0);
      c.return_();
      c.exceptionCatchAll(start, end, c.newBoundLabel());
      c.astore(1);
      Label close = c.newBoundLabel();
      HandBuilt.close(c, 0);
      Label closed = c.newBoundLabel();
      c.aload(1).athrow();
      c.exceptionCatch(close, closed, c.newBoundLabel(), CD_Throwable);
      c.astore(2).aload(1).aload(2);
      c.invokevirtual(CD_Throwable, "addSuppressed", HandBuilt.SUPPRESSES);
      c.aload(1).athrow();
    };
  }

  /** A handler for one type of exception lets others out with the arena open. */
  @Test
  void handlerForOneType_isNotEnough() {
    Consumer<CodeBuilder> code =
        c -> {
          HandBuilt.open(c);
          c.astore(0);
          Label start = c.newBoundLabel();
          HandBuilt.work(c);
          Label end = c.newBoundLabel();
          HandBuilt.close(c, 0);
          c.return_();
          c.exceptionCatch(
              start, end, c.newBoundLabel(), ClassDesc.of("java.lang.RuntimeException"));
          c.astore(1);
          Label close = c.newBoundLabel();
          HandBuilt.close(c, 0);
          Label closed = c.newBoundLabel();
          c.aload(1).athrow();
          c.exceptionCatch(close, closed, c.newBoundLabel(), CD_Throwable);
          c.astore(2).aload(1).aload(2);
          c.invokevirtual(CD_Throwable, "addSuppressed", HandBuilt.SUPPRESSES);
          c.aload(1).athrow();
        };

    assertThat(HandBuilt.shape(code)).isEqualTo(SiteShape.CLOSED_IN_METHOD);
  }

  /** Random instructions with random jumps and handlers: no exception, no endless loop. */
  @Test
  void randomCode_neverFails() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    long start = System.nanoTime();
    int siteCount = 0;
    while (siteCount == 0 || System.nanoTime() - start < Duration.ofSeconds(2).toNanos()) {
      byte[] classFile = HandBuilt.classFile(c -> randomCode(c, random));
      siteCount += SiteFinder.sites(classFile).size();
    }
    assertThat(siteCount).as("seed=%d", seed).isPositive();
  }

  private static void randomCode(CodeBuilder c, Random random) {
    int labelCount = 12;
    List<Label> labels = new ArrayList<>();
    for (int i = 0; i < labelCount; i++) {
      labels.add(c.newLabel());
    }
    for (Label label : labels) {
      c.labelBinding(label);
      for (int i = random.nextInt(6); i >= 0; i--) {
        randomInstruction(c, random, labels.get(random.nextInt(labelCount)));
      }
    }
    c.return_();
    for (int i = 0; i < 4; i++) {
      int from = random.nextInt(labelCount - 1);
      int to = from + 1 + random.nextInt(labelCount - 1 - from);
      c.exceptionCatchAll(labels.get(from), labels.get(to), labels.get(random.nextInt(labelCount)));
    }
  }

  private static void randomInstruction(CodeBuilder c, Random random, Label target) {
    switch (random.nextInt(16)) {
      case 0, 1 -> HandBuilt.open(c);
      case 2, 3 -> c.aload(random.nextInt(4));
      case 4, 5 -> c.astore(random.nextInt(4));
      case 6, 7 -> HandBuilt.close(c, random.nextInt(4));
      case 8 -> c.ifnull(target);
      case 9 -> c.goto_(target);
      case 10 -> c.dup_x1();
      case 11 -> HandBuilt.work(c);
      case 12 -> c.athrow();
      case 13 -> c.invokestatic(HandBuilt.SELF, "take", HandBuilt.TAKES_OBJECT);
      case 14 -> c.invokevirtual(CD_Throwable, "addSuppressed", HandBuilt.SUPPRESSES);
      default -> c.iload(9).ifeq(target);
    }
  }
}
