package dev.arenal.agent.sites;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The code of one method: its instructions by number, their lines, and the handlers. */
final class MethodCode {
  /** The handler for exceptions of the instructions in [start, end). */
  record Handler(int start, int end, int entry, boolean isForAll) {
    boolean covers(int index) {
      return start <= index && index < end;
    }
  }

  private static final String THROWABLE = "java/lang/Throwable";

  private final CodeAttribute code;
  private final List<Instruction> instructions = new ArrayList<>();
  private final List<Handler> handlers = new ArrayList<>();
  private final int[] indexes;
  private int[] bytecodeIndexes = new int[64];
  private int[] lines = new int[64];
  private boolean isWhole;
  private @Nullable LiveLocals liveLocals;
  private @Nullable BitSet probeLocals;

  private MethodCode(CodeAttribute code) {
    this.code = code;
    this.indexes = new int[code.codeLength() + 1];
    Arrays.fill(indexes, -1);
  }

  /** Reads as far as the code can be read. */
  static MethodCode of(CodeAttribute code) {
    MethodCode result = new MethodCode(code);
    try {
      result.read();
      result.isWhole = true;
    } catch (RuntimeException e) {
      // Damaged code: the instructions before are still analysed, see isWhole.
      result.isWhole = false;
    }
    return result;
  }

  private void read() {
    int line = -1;
    int bytecodeIndex = 0;
    for (CodeElement element : code) {
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof Instruction instruction) {
        add(instruction, bytecodeIndex, line);
        bytecodeIndex += instruction.sizeInBytes();
      }
    }
    indexes[code.codeLength()] = instructions.size();
    for (ExceptionCatch handler : code.exceptionHandlers()) {
      handlers.add(
          new Handler(
              index(handler.tryStart()),
              index(handler.tryEnd()),
              index(handler.handler()),
              isForAll(handler.catchType())));
    }
  }

  private void add(Instruction instruction, int bytecodeIndex, int line) {
    int index = instructions.size();
    if (index == lines.length) {
      lines = Arrays.copyOf(lines, 2 * index);
      bytecodeIndexes = Arrays.copyOf(bytecodeIndexes, 2 * index);
    }
    lines[index] = line;
    bytecodeIndexes[index] = bytecodeIndex;
    indexes[bytecodeIndex] = index;
    instructions.add(instruction);
  }

  private static boolean isForAll(Optional<ClassEntry> type) {
    return type.isEmpty() || type.get().asInternalName().equals(THROWABLE);
  }

  /** Whether all of it could be read; otherwise the instructions end too early. */
  boolean isWhole() {
    return isWhole;
  }

  int instructionCount() {
    return instructions.size();
  }

  Instruction instruction(int index) {
    return instructions.get(index);
  }

  int bytecodeIndex(int index) {
    return bytecodeIndexes[index];
  }

  /** The line of an instruction, -1 where none is known. */
  int line(int index) {
    return lines[index];
  }

  /** Found out when it is first asked for: most methods have no site. */
  LiveLocals liveLocals() {
    if (liveLocals == null) {
      liveLocals = LiveLocals.of(this);
    }
    return liveLocals;
  }

  /** The locals that hold the array of a coverage tool, see {@link Probes}. */
  BitSet probeLocals() {
    if (probeLocals == null) {
      probeLocals = Probes.locals(this);
    }
    return probeLocals;
  }

  /** In the order in which the JVM asks them. */
  List<Handler> handlers() {
    return handlers;
  }

  /**
   * The instructions that a branch or a switch may go to, but for the one behind a branch.
   *
   * @throws IllegalArgumentException if it points into an instruction
   */
  int[] targets(int index) {
    return switch (instruction(index)) {
      case BranchInstruction branch -> new int[] {index(branch.target())};
      case TableSwitchInstruction table -> targets(table.cases(), table.defaultTarget());
      case LookupSwitchInstruction lookup -> targets(lookup.cases(), lookup.defaultTarget());
      default -> new int[0];
    };
  }

  private int[] targets(List<SwitchCase> cases, Label otherwise) {
    return Stream.concat(cases.stream().map(SwitchCase::target), Stream.of(otherwise))
        .mapToInt(this::index)
        .toArray();
  }

  /** The number of the instruction behind a label. */
  private int index(Label label) {
    int bytecodeIndex = code.labelToBci(label);
    int index = bytecodeIndex < 0 ? -1 : indexes[bytecodeIndex];
    if (index < 0) {
      throw new IllegalArgumentException(
          "no instruction begins here: bytecodeIndex=" + bytecodeIndex);
    }
    return index;
  }
}
