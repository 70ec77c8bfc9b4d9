package dev.arenal.agent.sites;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** How many slots an instruction takes from the operand stack and how many it leaves there. */
record StackEffect(int pops, int pushes) {
  /** Of an instruction that no arena goes through. */
  static StackEffect of(Instruction instruction) {
    return switch (instruction.opcode().kind()) {
      case NOP, INCREMENT -> new StackEffect(0, 0);
      case CONSTANT -> new StackEffect(0, slots(((ConstantInstruction) instruction).typeKind()));
      case NEW_OBJECT -> new StackEffect(0, 1);
      case NEW_PRIMITIVE_ARRAY, NEW_REF_ARRAY -> new StackEffect(1, 1);
      case NEW_MULTI_ARRAY ->
          new StackEffect(((NewMultiArrayInstruction) instruction).dimensions(), 1);
      case CONVERT -> ofConversion((ConvertInstruction) instruction);
      case OPERATOR -> ofOperator((OperatorInstruction) instruction);
      case MONITOR, TABLE_SWITCH, LOOKUP_SWITCH -> new StackEffect(1, 0);
      case BRANCH -> new StackEffect(operandsOf((BranchInstruction) instruction), 0);
      default ->
          throw new IllegalArgumentException(
              "an instruction with more to it: opcode=" + instruction.opcode());
    };
  }

  private static StackEffect ofConversion(ConvertInstruction conversion) {
    return new StackEffect(slots(conversion.fromType()), slots(conversion.toType()));
  }

  private static StackEffect ofOperator(OperatorInstruction operator) {
    int slots = slots(operator.typeKind());
    return switch (operator.opcode()) {
      case ARRAYLENGTH -> new StackEffect(1, 1);
      case INEG, LNEG, FNEG, DNEG -> new StackEffect(slots, slots);
      case ISHL, ISHR, IUSHR, LSHL, LSHR, LUSHR -> new StackEffect(slots + 1, slots);
      case LCMP, DCMPL, DCMPG -> new StackEffect(4, 1);
      case FCMPL, FCMPG -> new StackEffect(2, 1);
      default -> new StackEffect(2 * slots, slots);
    };
  }

  private static int operandsOf(BranchInstruction branch) {
    return switch (branch.opcode()) {
      case GOTO, GOTO_W -> 0;
      case IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE -> 2;
      case IF_ACMPEQ, IF_ACMPNE -> 2;
      default -> 1;
    };
  }

  /** Slots of the arguments, without a receiver. */
  static int argumentSlots(MethodTypeDesc type) {
    int slots = 0;
    for (ClassDesc parameter : type.parameterList()) {
      slots += slots(parameter);
    }
    return slots;
  }

  static int slots(ClassDesc type) {
    return slots(TypeKind.from(type));
  }

  private static int slots(TypeKind kind) {
    return kind.slotSize();
  }

  /** Whether an instruction that calls nothing and touches no field can throw. */
  static boolean mayThrow(Instruction instruction) {
    Opcode opcode = instruction.opcode();
    return switch (opcode.kind()) {
      case CONSTANT -> mayThrow((ConstantInstruction) instruction);
      case OPERATOR ->
          switch (opcode) {
            case IDIV, IREM, LDIV, LREM, ARRAYLENGTH -> true;
            default -> false;
          };
      // Locks are given back as they were taken: a compiler's monitorexit does not fail.
      case MONITOR -> opcode == Opcode.MONITORENTER;
      case NEW_OBJECT, NEW_PRIMITIVE_ARRAY, NEW_REF_ARRAY, NEW_MULTI_ARRAY -> true;
      default -> false;
    };
  }

  /** Loading a class or a dynamic constant may fail; loading a string or number cannot. */
  private static boolean mayThrow(ConstantInstruction constant) {
    return constant instanceof ConstantInstruction.LoadConstantInstruction load
        && !(load.constantValue() instanceof String || load.constantValue() instanceof Number);
  }
}
