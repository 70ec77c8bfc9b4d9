package dev.arenal.agent.sites;

import java.lang.classfile.Opcode;

/** The instructions that move slots of the operand stack about. */
final class StackShuffle {
  private StackShuffle() {}

  static void apply(Opcode opcode, Frame frame) {
    switch (opcode) {
      case POP -> frame.pop(1);
      case POP2 -> frame.pop(2);
      case DUP -> insert(frame, 1, 0);
      case DUP_X1 -> insert(frame, 1, 1);
      case DUP_X2 -> insert(frame, 1, 2);
      case DUP2 -> insert(frame, 2, 0);
      case DUP2_X1 -> insert(frame, 2, 1);
      case DUP2_X2 -> insert(frame, 2, 2);
      case SWAP -> {
        Held top = frame.pop();
        Held below = frame.pop();
        frame.push(top);
        frame.push(below);
      }
      default -> throw new IllegalArgumentException("moves nothing: opcode=" + opcode);
    }
  }

  /** Copies the topmost slots below others. */
  private static void insert(Frame frame, int copiedCount, int skippedCount) {
    Held[] slots = new Held[copiedCount + skippedCount];
    for (int i = slots.length - 1; i >= 0; i--) {
      slots[i] = frame.pop();
    }
    for (int i = skippedCount; i < slots.length; i++) {
      frame.push(slots[i]);
    }
    for (Held slot : slots) {
      frame.push(slot);
    }
  }
}
