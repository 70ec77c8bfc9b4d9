package dev.arenal.agent.sites;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the call sites of {@code Arena.ofConfined()} in a class file, and the use of each arena.
 */
public final class SiteFinder {
  private static final byte[] METHOD_NAME = ClassBytes.utf8Entry("ofConfined");
  private static final byte[] OWNER_NAME = ClassBytes.utf8Entry("java/lang/foreign/Arena");

  private SiteFinder() {}

  /**
   * Whether the class file names both the type and the method. Only bytes are searched, nothing is
   * parsed: where this says no, there is no site.
   */
  public static boolean mayHaveSites(byte[] classFile) {
    return ClassBytes.contains(classFile, METHOD_NAME)
        && ClassBytes.contains(classFile, OWNER_NAME);
  }

  /**
   * The sites of a class file, in the order of its code. A method whose code cannot be read has at
   * most those before the damage, and they are called passed on.
   *
   * @throws IllegalArgumentException if it is not a class file, or one that nothing can be read of
   */
  public static List<Site> sites(byte[] classFile) {
    ClassBytes.check(classFile);
    List<Site> sites = new ArrayList<>();
    try {
      ClassModel model = parse(classFile);
      // Reads to the end of the file, which may be missing.
      var _ = model.attributes();
      if (!mayHaveSites(classFile)) {
        return sites;
      }
      String className = model.thisClass().asInternalName().replace('/', '.');
      for (MethodModel method : model.methods()) {
        addSites(className, method, sites);
      }
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "class file is damaged: sizeBytes="
              + classFile.length
              + ", reason="
              + e.getMessage()
              + " (expected what a compiler writes)",
          e);
    }
    return sites;
  }

  /** A class file of any version: a newer one than this JDK knows has the same structure. */
  public static ClassModel parse(byte[] classFile) {
    return ClassFile.of().parse(ClassBytes.withKnownVersion(classFile));
  }

  /** Whether it is {@code Arena.ofConfined()}, called or named by a method handle. */
  public static boolean isFactory(MemberRefEntry method) {
    return KnownCalls.isFactory(method);
  }

  /** One method that cannot be read is left out, not the others. */
  private static void addSites(String className, MethodModel method, List<Site> sites) {
    CodeAttribute attribute;
    String name;
    String descriptor;
    try {
      attribute = method.findAttribute(Attributes.code()).orElse(null);
      name = method.methodName().stringValue();
      descriptor = method.methodType().stringValue();
    } catch (RuntimeException e) {
      return;
    }
    if (attribute == null) {
      return;
    }
    MethodCode code = MethodCode.of(attribute);
    WorkLimit limit = new WorkLimit();
    for (int index = 0; index < code.instructionCount(); index++) {
      SiteShape shape = shapeAt(code, index, limit);
      if (shape != null) {
        boolean isDisturbed =
            shape == SiteShape.CLOSED_IN_METHOD && SiteAnalysis.isDisturbed(code, index, limit);
        sites.add(
            new Site(
                className,
                name,
                descriptor,
                code.line(index),
                shape,
                code.bytecodeIndex(index),
                isDisturbed));
      }
    }
  }

  /** Null where there is no site. */
  private static @Nullable SiteShape shapeAt(MethodCode code, int index, WorkLimit limit) {
    Instruction instruction = code.instruction(index);
    if (FactoryHandles.isIn(instruction)) {
      return SiteShape.METHOD_REFERENCE;
    }
    if (!isSite(instruction)) {
      return null;
    }
    return code.isWhole() ? SiteAnalysis.shape(code, index, limit) : SiteShape.PASSED_ON;
  }

  private static boolean isSite(Instruction instruction) {
    return instruction instanceof InvokeInstruction call
        && call.opcode() == Opcode.INVOKESTATIC
        && KnownCalls.isFactory(call.method());
  }
}
