package dev.arenal.workload;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Classes of a given size: {@code size} times an int, a String and a byte array field with
 * initialisers, a getter for each and one static method.
 */
final class GeneratedClasses {
  private static final String INTERNAL_PREFIX = "generated/Class";

  /** The prefix of the names of all generated classes; a number from 0 follows. */
  static final String PREFIX = "generated.Class";

  private static final String[] DESCRIPTORS = {"I", "Ljava/lang/String;", "[B"};
  private static final String[] FIELDS = {"number", "text", "bytes"};

  private GeneratedClasses() {}

  static String nameOf(int index) {
    return PREFIX + index;
  }

  /** Generates the classes once; every loader defines the same bytes. */
  static List<byte[]> generate(int classCount, int size) {
    List<byte[]> classes = new ArrayList<>(classCount);
    for (int i = 0; i < classCount; i++) {
      classes.add(generate(INTERNAL_PREFIX + i, size));
    }
    return classes;
  }

  private static byte[] generate(String name, int size) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        Opcodes.V11, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, "java/lang/Object", null);
    MethodVisitor constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    constructor.visitCode();
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    for (int i = 0; i < size; i++) {
      for (int kind = 0; kind < FIELDS.length; kind++) {
        addField(writer, constructor, name, FIELDS[kind] + i, DESCRIPTORS[kind], kind);
      }
      addStaticMethod(writer, i);
    }
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(0, 0);
    constructor.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void addField(
      ClassWriter writer,
      MethodVisitor constructor,
      String owner,
      String field,
      String descriptor,
      int kind) {
    writer.visitField(Opcodes.ACC_PRIVATE, field, descriptor, null, null).visitEnd();
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    if (kind == 0) {
      constructor.visitIntInsn(Opcodes.BIPUSH, 42);
    } else if (kind == 1) {
      constructor.visitLdcInsn(field);
    } else {
      constructor.visitIntInsn(Opcodes.BIPUSH, 10);
      constructor.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_BYTE);
    }
    constructor.visitFieldInsn(Opcodes.PUTFIELD, owner, field, descriptor);

    String getterName = "get" + Character.toUpperCase(field.charAt(0)) + field.substring(1);
    MethodVisitor getter =
        writer.visitMethod(Opcodes.ACC_PUBLIC, getterName, "()" + descriptor, null, null);
    getter.visitCode();
    getter.visitVarInsn(Opcodes.ALOAD, 0);
    getter.visitFieldInsn(Opcodes.GETFIELD, owner, field, descriptor);
    getter.visitInsn(kind == 0 ? Opcodes.IRETURN : Opcodes.ARETURN);
    getter.visitMaxs(0, 0);
    getter.visitEnd();
  }

  private static void addStaticMethod(ClassWriter writer, int index) {
    MethodVisitor method =
        writer.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "sum" + index, "(II)I", null, null);
    method.visitCode();
    method.visitVarInsn(Opcodes.ILOAD, 0);
    method.visitVarInsn(Opcodes.ILOAD, 1);
    method.visitInsn(Opcodes.IADD);
    method.visitInsn(Opcodes.IRETURN);
    method.visitMaxs(0, 0);
    method.visitEnd();
  }
}
