package dev.arenal.agent.sites;

import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.MethodTypeDesc;

/** The effect of a call on a frame, and on the arena. */
final class CallEffect {
  private final Ways ways;
  private final Findings findings;

  CallEffect(Ways ways, Findings findings) {
    this.ways = ways;
    this.findings = findings;
  }

  /**
   * Makes of the frame the one behind the call, and lets the call throw.
   *
   * @param before the frame as it was, on which exceptions leave
   */
  void call(int index, InvokeInstruction call, Frame before, Frame frame) {
    MethodTypeDesc type = call.typeSymbol();
    int argumentSlots = StackEffect.argumentSlots(type);
    boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
    int operands = isStatic ? argumentSlots : argumentSlots + 1;
    Held lowest = operands == 0 ? Held.OTHER : frame.peek(operands - 1);
    Held top = operands == 0 ? Held.OTHER : frame.peek(0);
    boolean isPassed = takesArena(frame, argumentSlots);
    frame.pop(operands);
    frame.pushOther(StackEffect.slots(type.returnType()));
    if (lowest == Held.ARENA && KnownCalls.isClose(call)) {
      close(index, before, frame);
    } else if (lowest == Held.ARENA && KnownCalls.isCloseFinally(call)) {
      findings.closeByKotlin();
      findings.suppress(index);
      close(index, before, frame);
    } else if (top == Held.ARENA && KnownCalls.isCloseResource(call)) {
      findings.suppress(index);
      close(index, before, frame);
    } else if (lowest == Held.ARENA && KnownCalls.isRequireNonNull(call)) {
      frame.pop(1);
      frame.push(Held.ARENA);
    } else if (KnownCalls.isAddSuppressed(call)) {
      // It fails for null and for itself only, neither of which a compiler passes.
      if (lowest == Held.PRIMARY && top == Held.SUPPRESSED) {
        findings.suppress(before.closedAt());
      }
    } else if (!isHarmless(call, lowest)) {
      pass(isPassed && !KnownCalls.isText(call), before);
      ways.raise(index, before);
    }
  }

  /** The arguments are captured, but for those of a text that is put together. */
  void callDynamic(int index, InvokeDynamicInstruction call, Frame before, Frame frame) {
    MethodTypeDesc type = call.typeSymbol();
    int argumentSlots = StackEffect.argumentSlots(type);
    pass(takesArena(frame, argumentSlots) && !KnownCalls.isTextConcatenation(call), before);
    frame.pop(argumentSlots);
    frame.pushOther(StackEffect.slots(type.returnType()));
    ways.raise(index, before);
  }

  private void close(int index, Frame before, Frame frame) {
    findings.close(before);
    frame.close(index);
    ways.raiseFromClose(index, before);
  }

  private void pass(boolean isPassed, Frame before) {
    if (isPassed && before.isOpen()) {
      findings.passOn();
    }
  }

  private static boolean isHarmless(InvokeInstruction call, Held first) {
    return KnownCalls.isKotlinMark(call) || (first == Held.ARENA && KnownCalls.isKotlinCheck(call));
  }

  private static boolean takesArena(Frame frame, int argumentSlots) {
    for (int depth = 0; depth < argumentSlots; depth++) {
      if (frame.peek(depth) == Held.ARENA) {
        return true;
      }
    }
    return false;
  }
}
