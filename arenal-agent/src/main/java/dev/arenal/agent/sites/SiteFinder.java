package dev.arenal.agent.sites;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayList;
import java.util.List;

/** Finds the call sites of {@code Arena.ofConfined()} in a class file. */
public final class SiteFinder {
  private static final byte[] METHOD_NAME = utf8Entry("ofConfined");
  private static final byte[] OWNER_NAME = utf8Entry("java/lang/foreign/Arena");

  private SiteFinder() {}

  /**
   * Whether the class file names both the type and the method. Only bytes are searched, nothing is
   * parsed: where this says no, there is no site.
   */
  public static boolean mayHaveSites(byte[] classFile) {
    return contains(classFile, METHOD_NAME) && contains(classFile, OWNER_NAME);
  }

  /**
   * The sites of a class file, in the order of its code.
   *
   * @throws IllegalArgumentException if it is not a class file
   */
  public static List<Site> sites(byte[] classFile) {
    ClassModel model = ClassFile.of().parse(classFile);
    List<Site> sites = new ArrayList<>();
    for (MethodModel method : model.methods()) {
      method
          .findAttribute(Attributes.code())
          .ifPresent(code -> addSites(model, method, code, sites));
    }
    return sites;
  }

  private static void addSites(
      ClassModel model, MethodModel method, CodeAttribute code, List<Site> sites) {
    String className = model.thisClass().asInternalName().replace('/', '.');
    int line = -1;
    int bytecodeIndex = 0;
    for (CodeElement element : code) {
      if (element instanceof LineNumber number) {
        line = number.line();
      }
      if (element instanceof Instruction instruction) {
        SiteShape shape = null;
        if (instruction instanceof InvokeInstruction call
            && call.opcode() == Opcode.INVOKESTATIC
            && isFactory(call.method())) {
          shape = isClosedTwice(code, call) ? SiteShape.TRY_WITH_RESOURCES : SiteShape.PASSED_ON;
        } else if (instruction instanceof InvokeDynamicInstruction dynamic
            && dynamic.invokedynamic().bootstrap().arguments().stream()
                .anyMatch(SiteFinder::isFactoryHandle)) {
          shape = SiteShape.METHOD_REFERENCE;
        }
        if (shape != null) {
          sites.add(
              new Site(
                  className,
                  method.methodName().stringValue(),
                  method.methodType().stringValue(),
                  line,
                  shape,
                  bytecodeIndex));
        }
        bytecodeIndex += instruction.sizeInBytes();
      }
    }
  }

  private static boolean isFactory(MemberRefEntry method) {
    return method.owner().asInternalName().equals("java/lang/foreign/Arena")
        && method.name().equalsString("ofConfined");
  }

  private static boolean isFactoryHandle(LoadableConstantEntry constant) {
    return constant instanceof MethodHandleEntry handle && isFactory(handle.reference());
  }

  /** Stored, loaded and closed twice, with something suppressed: what a compiler writes. */
  private static boolean isClosedTwice(CodeAttribute code, InvokeInstruction site) {
    List<Instruction> all = new ArrayList<>();
    code.forEach(element -> {
      if (element instanceof Instruction instruction) {
        all.add(instruction);
      }
    });
    int at = all.indexOf(site);
    if (at < 0 || at + 1 >= all.size() || !(all.get(at + 1) instanceof StoreInstruction store)) {
      return false;
    }
    int countCloses = 0;
    boolean isSuppressing = false;
    for (int i = at + 2; i < all.size(); i++) {
      if (all.get(i) instanceof StoreInstruction other && other.slot() == store.slot()) {
        break;
      }
      if (all.get(i) instanceof InvokeInstruction call) {
        isSuppressing |= call.name().equalsString("addSuppressed");
        if (call.name().equalsString("close")
            && all.get(i - 1) instanceof LoadInstruction load
            && load.slot() == store.slot()) {
          countCloses++;
        }
      }
    }
    return isSuppressing && countCloses >= 2;
  }

  /** The bytes of a name in a constant pool: its tag, its length, its letters. */
  private static byte[] utf8Entry(String text) {
    byte[] entry = new byte[3 + text.length()];
    entry[0] = 1;
    entry[2] = (byte) text.length();
    for (int i = 0; i < text.length(); i++) {
      entry[3 + i] = (byte) text.charAt(i);
    }
    return entry;
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    for (int start = 0; start + part.length <= bytes.length; start++) {
      int i = 0;
      while (i < part.length && bytes[start + i] == part[i]) {
        i++;
      }
      if (i == part.length) {
        return true;
      }
    }
    return false;
  }
}
