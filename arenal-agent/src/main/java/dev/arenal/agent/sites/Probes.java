package dev.arenal.agent.sites;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.DynamicConstantDesc;
import java.util.BitSet;

/**
 * Finds the array in which a coverage tool records executed code.
 *
 * <p>JaCoCo and IntelliJ put such notes everywhere, also between the end of a try block and the
 * closing of its resource, where a compiler puts nothing that may throw. A store into any array may
 * throw; one into theirs does not: a method begins with getting it from a member or a constant that
 * they added to the class, and it has an element for each note.
 */
final class Probes {
  private Probes() {}

  /** The locals that are set to such an array before all else, and never again. */
  static BitSet locals(MethodCode code) {
    BitSet found = new BitSet();
    int index = 0;
    while (index < code.instructionCount() && isAddedArray(code.instruction(index))) {
      index++;
      if (isCastToArray(code, index)) {
        index++;
      }
      if (index == code.instructionCount()
          || !(code.instruction(index) instanceof StoreInstruction store)
          || store.typeKind() != TypeKind.REFERENCE) {
        break;
      }
      found.set(store.slot());
      index++;
    }
    for (; index < code.instructionCount() && !found.isEmpty(); index++) {
      if (code.instruction(index) instanceof StoreInstruction store) {
        found.clear(store.slot(), store.slot() + store.typeKind().slotSize());
      }
    }
    return found;
  }

  /** By a name that people do not give: both have a dollar in it. */
  private static boolean isAddedArray(Instruction instruction) {
    return switch (instruction) {
      case InvokeInstruction call ->
          call.opcode() == Opcode.INVOKESTATIC
              && call.name().stringValue().contains("$")
              && call.type().stringValue().startsWith("()")
              && isArrayOrUnknown(call.type().stringValue().substring(2));
      case FieldInstruction field ->
          field.opcode() == Opcode.GETSTATIC
              && field.name().stringValue().contains("$")
              && isArrayOrUnknown(field.type().stringValue());
      case LoadConstantInstruction load ->
          load.constantValue() instanceof DynamicConstantDesc<?> constant
              && constant.constantName().contains("$")
              && isArrayOrUnknown(constant.constantType().descriptorString());
      default -> false;
    };
  }

  /** A value whose type is not an array is cast to one; otherwise a store would not verify. */
  private static boolean isArrayOrUnknown(String descriptor) {
    return descriptor.equals("Ljava/lang/Object;") || isArrayOfNumbers(descriptor);
  }

  private static boolean isArrayOfNumbers(String descriptor) {
    return descriptor.length() == 2 && descriptor.charAt(0) == '[';
  }

  private static boolean isCastToArray(MethodCode code, int index) {
    return index < code.instructionCount()
        && code.instruction(index) instanceof TypeCheckInstruction check
        && check.opcode() == Opcode.CHECKCAST
        && isArrayOfNumbers(check.type().asInternalName());
  }
}
