package dev.arenal.agent.sites;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.BitSet;

/**
 * Computes which locals may still be read as a reference from each instruction on. The content of
 * others no longer matters, and exceptions that were caught long ago lie about in many: without
 * this, the ways through a large method would differ in nothing else.
 */
final class LiveLocals {
  /** Of all bits together; more is not worth its memory, and no compiler's code needs it. */
  private static final long MAX_BITS = 1L << 26;

  /** Code of compilers settles in a few. */
  private static final int MAX_PASSES = 64;

  private final MethodCode code;
  private final BitSet[] live;
  private final int[][] next;

  private LiveLocals(MethodCode code) {
    int count = code.instructionCount();
    this.code = code;
    this.live = new BitSet[count];
    this.next = new int[count][];
  }

  /** All locals are taken for live where it takes too long to find out, or cannot be. */
  static LiveLocals of(MethodCode code) {
    int highest = 0;
    for (int index = 0; index < code.instructionCount(); index++) {
      if (code.instruction(index) instanceof LoadInstruction load) {
        highest = Math.max(highest, load.slot());
      }
    }
    if ((long) highest * code.instructionCount() <= MAX_BITS) {
      LiveLocals locals = new LiveLocals(code);
      try {
        if (locals.isSettled()) {
          return locals;
        }
      } catch (RuntimeException e) {
        // A subroutine or a jump into an instruction: a path that comes there gives up.
        return new LiveLocals(code);
      }
    }
    return new LiveLocals(code);
  }

  boolean isLive(int index, int slot) {
    return index >= live.length || live[index] == null || live[index].get(slot);
  }

  /** Goes backwards over the code until nothing changes. */
  private boolean isSettled() {
    for (int index = 0; index < live.length; index++) {
      live[index] = new BitSet();
      next[index] = next(index);
    }
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      boolean isChanged = false;
      for (int index = live.length - 1; index >= 0; index--) {
        isChanged |= isChanged(index);
      }
      if (!isChanged) {
        return true;
      }
    }
    return false;
  }

  private boolean isChanged(int index) {
    BitSet now = new BitSet();
    for (int following : next[index]) {
      if (following < live.length) {
        now.or(live[following]);
      }
    }
    Instruction instruction = code.instruction(index);
    if (instruction instanceof StoreInstruction store) {
      now.clear(store.slot(), store.slot() + store.typeKind().slotSize());
    } else if (instruction instanceof LoadInstruction load
        && load.typeKind() == TypeKind.REFERENCE) {
      now.set(load.slot());
    }
    for (MethodCode.Handler handler : code.handlers()) {
      if (handler.covers(index) && handler.entry() < live.length) {
        now.or(live[handler.entry()]);
      }
    }
    boolean isChanged = !now.equals(live[index]);
    live[index] = now;
    return isChanged;
  }

  private int[] next(int index) {
    Instruction instruction = code.instruction(index);
    return switch (instruction.opcode().kind()) {
      case BRANCH -> {
        int[] targets = code.targets(index);
        boolean isAlways =
            instruction.opcode() == Opcode.GOTO || instruction.opcode() == Opcode.GOTO_W;
        yield isAlways ? targets : new int[] {targets[0], index + 1};
      }
      case TABLE_SWITCH, LOOKUP_SWITCH -> code.targets(index);
      case RETURN, THROW_EXCEPTION -> new int[0];
      case DISCONTINUED_JSR, DISCONTINUED_RET ->
          throw new IllegalArgumentException("a subroutine: opcode=" + instruction.opcode());
      default -> new int[] {index + 1};
    };
  }
}
