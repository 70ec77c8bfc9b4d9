package dev.arenal.agent.sites;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;

/**
 * Follows the arena of one site over every way through its method, exceptions included.
 *
 * <p>Each way keeps its own {@link Frame}: ways meet only where their frames are equal. So a null
 * check, a variable that holds the arena on one way only, and code that several ways share are all
 * seen as they run. The work is bounded by a number of frames, after which the analysis gives up.
 */
final class SiteAnalysis {
  private final MethodCode code;
  private final int site;
  private final Throwing throwing;
  private final Findings findings = new Findings();
  private final Ways ways;
  private final CallEffect calls;

  /** Which instructions are taken to throw while the arena is open. */
  private enum Throwing {
    /** Those that can. */
    AS_IT_IS,
    /** All of them. */
    EVERYWHERE,
    /** Those that can, and are in a try block that the site is not in. */
    IN_TRY_BLOCKS
  }

  private SiteAnalysis(MethodCode code, int site, Throwing throwing) {
    this.code = code;
    this.site = site;
    this.throwing = throwing;
    this.ways = new Ways(code, site, findings, throwing == Throwing.IN_TRY_BLOCKS);
    this.calls = new CallEffect(ways, findings);
  }

  /** The shape of a site, given by the number of its instruction. */
  static SiteShape shape(MethodCode code, int site, WorkLimit limit) {
    limit.nextSite();
    SiteAnalysis analysis = new SiteAnalysis(code, site, Throwing.AS_IT_IS);
    if (!analysis.isFollowed(limit)) {
      return analysis.findings.shapeByHand(false);
    }
    Findings findings = analysis.findings;
    return analysis.isOfCompiler(limit) ? findings.shapeOfCompiler() : findings.shapeByHand(true);
  }

  /**
   * Whether the arena is closed as compilers do it but for instructions outside of the try block
   * that may throw. Compilers put none there, and people hardly ever; tools that add code to
   * methods do.
   */
  static boolean isDisturbed(MethodCode code, int site, WorkLimit limit) {
    limit.nextSite();
    SiteAnalysis analysis = new SiteAnalysis(code, site, Throwing.IN_TRY_BLOCKS);
    return analysis.isFollowed(limit) && analysis.isOfCompiler(limit);
  }

  private boolean isOfCompiler(WorkLimit limit) {
    return findings.isAlwaysClosed()
        && (findings.isSuppressing()
            || findings.isEmptyBody()
            || isSuppressingUnseen(code, site, limit));
  }

  /**
   * Whether there is a handler that closes the arena and suppresses, though nothing in its range
   * can throw, or not out of it: such as when the body is a constant, or returns from a finally.
   */
  private static boolean isSuppressingUnseen(MethodCode code, int site, WorkLimit limit) {
    SiteAnalysis analysis = new SiteAnalysis(code, site, Throwing.EVERYWHERE);
    return analysis.isFollowed(limit) && analysis.findings.isSuppressing();
  }

  /** Whether all ways have been followed to their ends. */
  private boolean isFollowed(WorkLimit limit) {
    try {
      ways.goOn(site + 1, Frame.behindSite(code.probeLocals()));
      for (Ways.Way way = ways.next(); way != null; way = ways.next()) {
        if (!limit.take()) {
          return false;
        }
        follow(way.index(), way.frame());
      }
      return true;
    } catch (RuntimeException e) {
      // Code that does not verify, or too much of it: the result is what was found so far.
      return false;
    }
  }

  private void follow(int index, Frame before) {
    if (index == site) {
      // Once more around a loop, with the next arena.
      if (before.isOpen()) {
        findings.leaveOpen(before);
      }
      return;
    }
    ways.enterTry(index, before);
    Instruction instruction = code.instruction(index);
    Frame frame = before.copy();
    if (throwing == Throwing.EVERYWHERE && before.isOpen()) {
      ways.raise(index, before);
    }
    switch (instruction.opcode().kind()) {
      case LOAD -> load((LoadInstruction) instruction, frame);
      case STORE -> store((StoreInstruction) instruction, frame);
      case STACK -> StackShuffle.apply(instruction.opcode(), frame);
      case TYPE_CHECK -> checkType(index, (TypeCheckInstruction) instruction, before, frame);
      case FIELD_ACCESS -> access(index, (FieldInstruction) instruction, before, frame);
      case ARRAY_LOAD -> loadElement(index, (ArrayLoadInstruction) instruction, before, frame);
      case ARRAY_STORE -> storeElement(index, (ArrayStoreInstruction) instruction, before, frame);
      case INVOKE -> calls.call(index, (InvokeInstruction) instruction, before, frame);
      case INVOKE_DYNAMIC ->
          calls.callDynamic(index, (InvokeDynamicInstruction) instruction, before, frame);
      case BRANCH -> {
        branch(index, (BranchInstruction) instruction, before, frame);
        return;
      }
      case TABLE_SWITCH, LOOKUP_SWITCH -> {
        frame.pop(1);
        for (int target : code.targets(index)) {
          ways.goOn(target, frame.copy());
        }
        return;
      }
      case RETURN -> {
        leave((ReturnInstruction) instruction, frame);
        return;
      }
      case THROW_EXCEPTION -> {
        raise(index, before, frame);
        return;
      }
      default -> doPlainly(index, instruction, before, frame);
    }
    ways.goOn(index + 1, frame);
  }

  private static void load(LoadInstruction load, Frame frame) {
    int slots = load.typeKind().slotSize();
    if (slots == 1) {
      frame.push(frame.local(load.slot()));
    } else {
      frame.pushOther(slots);
    }
  }

  private static void store(StoreInstruction store, Frame frame) {
    int slots = store.typeKind().slotSize();
    if (slots == 1) {
      frame.setLocal(store.slot(), frame.pop());
    } else {
      frame.pop(slots);
      frame.setLocal(store.slot(), Held.OTHER);
      frame.setLocal(store.slot() + 1, Held.OTHER);
    }
  }

  /** A cast hands its operand on; one to a type that every arena has does not fail. */
  private void checkType(int index, TypeCheckInstruction check, Frame before, Frame frame) {
    Held operand = frame.pop();
    boolean isCast = check.opcode() == Opcode.CHECKCAST;
    if (!(isCast && operand != Held.OTHER && KnownCalls.isPlainType(check.type()))) {
      ways.raise(index, before);
    }
    frame.push(isCast ? operand : Held.OTHER);
  }

  private void access(int index, FieldInstruction access, Frame before, Frame frame) {
    int slots = StackEffect.slots(access.typeSymbol());
    switch (access.opcode()) {
      case GETSTATIC -> frame.pushOther(slots);
      case GETFIELD -> {
        frame.pop(1);
        frame.pushOther(slots);
      }
      default -> {
        keep(frame, slots);
        frame.pop(access.opcode() == Opcode.PUTFIELD ? slots + 1 : slots);
      }
    }
    ways.raise(index, before);
  }

  private void loadElement(int index, ArrayLoadInstruction load, Frame before, Frame frame) {
    Held array = frame.peek(1);
    frame.pop(2);
    frame.pushOther(load.typeKind().slotSize());
    if (array != Held.PROBES) {
      ways.raise(index, before);
    }
  }

  private void storeElement(int index, ArrayStoreInstruction store, Frame before, Frame frame) {
    int slots = store.typeKind().slotSize();
    Held array = frame.peek(slots + 1);
    keep(frame, slots);
    frame.pop(slots + 2);
    if (array != Held.PROBES) {
      ways.raise(index, before);
    }
  }

  private void keep(Frame frame, int slots) {
    if (slots == 1 && frame.isOpen() && frame.peek(0) == Held.ARENA) {
      findings.store();
    }
  }

  private void branch(int index, BranchInstruction branch, Frame before, Frame frame) {
    int target = code.targets(index)[0];
    frame.pop(StackEffect.of(branch).pops());
    switch (branch.opcode()) {
      case GOTO, GOTO_W -> ways.goOn(target, frame);
      case IFNULL, IFNONNULL -> {
        Held operand = before.peek(0);
        if (operand == Held.ARENA && before.isOpen()) {
          findings.checkForNull();
        }
        boolean isJump = branch.opcode() == Opcode.IFNONNULL;
        choose(operand != Held.OTHER, isJump, index, target, frame);
      }
      case IF_ACMPEQ, IF_ACMPNE -> {
        // A value known by name is one object, in any place.
        boolean isSame = before.peek(0) != Held.OTHER && before.peek(0) == before.peek(1);
        boolean isJump = branch.opcode() == Opcode.IF_ACMPEQ;
        choose(isSame, isJump, index, target, frame);
      }
      default -> choose(false, false, index, target, frame);
    }
  }

  /** Takes the one branch that is known to be taken, or both. */
  private void choose(boolean isKnown, boolean isJump, int index, int target, Frame frame) {
    if (!isKnown || isJump) {
      ways.goOn(target, frame.copy());
    }
    if (!isKnown || !isJump) {
      ways.goOn(index + 1, frame);
    }
  }

  private void leave(ReturnInstruction instruction, Frame frame) {
    if (frame.isOpen()) {
      if (instruction.opcode() == Opcode.ARETURN && frame.peek(0) == Held.ARENA) {
        findings.giveBack();
      }
      findings.leaveOpen(frame);
    }
  }

  private void raise(int index, Frame before, Frame frame) {
    if (frame.pop() == Held.PRIMARY) {
      ways.raiseAgain(index, before);
    } else {
      ways.raise(index, before);
    }
  }

  private void doPlainly(int index, Instruction instruction, Frame before, Frame frame) {
    StackEffect effect = StackEffect.of(instruction);
    frame.pop(effect.pops());
    frame.pushOther(effect.pushes());
    if (StackEffect.mayThrow(instruction)) {
      ways.raise(index, before);
    }
  }
}
