package dev.arenal.agent.sites;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.invoke.MethodHandleInfo;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Method handles of the factory among the constants of an instruction. */
final class FactoryHandles {
  private FactoryHandles() {}

  /** Whether the instruction makes a function of the factory, or loads a handle of it. */
  static boolean isIn(Instruction instruction) {
    try {
      if (instruction instanceof InvokeDynamicInstruction call) {
        return isAmong(new ArrayDeque<>(call.invokedynamic().bootstrap().arguments()));
      }
      if (instruction instanceof ConstantInstruction.LoadConstantInstruction load
          && load.opcode() != Opcode.LDC2_W) {
        Deque<LoadableConstantEntry> constants = new ArrayDeque<>();
        constants.add(load.constantEntry());
        return isAmong(constants);
      }
      return false;
    } catch (RuntimeException e) {
      // A damaged constant is no site; the instruction may still be passed over.
      return false;
    }
  }

  /** Constants may be computed from others, and in a hostile class file from themselves. */
  private static boolean isAmong(Deque<LoadableConstantEntry> constants) {
    Set<Integer> seen = new HashSet<>();
    while (!constants.isEmpty()) {
      LoadableConstantEntry constant = constants.removeLast();
      if (constant instanceof MethodHandleEntry handle && isFactory(handle)) {
        return true;
      }
      if (constant instanceof ConstantDynamicEntry computed && seen.add(computed.index())) {
        constants.addAll(computed.bootstrap().arguments());
      }
    }
    return false;
  }

  private static boolean isFactory(MethodHandleEntry handle) {
    MemberRefEntry method = handle.reference();
    return handle.kind() == MethodHandleInfo.REF_invokeStatic && KnownCalls.isFactory(method);
  }
}
