package dev.arenal.agent.sites;

import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;

/** Methods that mean something to the analysis of a site. */
final class KnownCalls {
  private static final String ARENA = "java/lang/foreign/Arena";

  private KnownCalls() {}

  /** The factory itself, called or named by a method handle. */
  static boolean isFactory(MemberRefEntry method) {
    return method.name().equalsString("ofConfined")
        && method.type().equalsString("()Ljava/lang/foreign/Arena;")
        && method.owner().asInternalName().equals(ARENA);
  }

  /** {@code close()}, on a receiver of any type. */
  static boolean isClose(InvokeInstruction call) {
    return call.opcode() != Opcode.INVOKESTATIC
        && call.name().equalsString("close")
        && call.type().equalsString("()V");
  }

  /** The last call of Kotlin's {@code use}; by its simple name, since libraries relocate it. */
  static boolean isCloseFinally(InvokeInstruction call) {
    if (call.opcode() != Opcode.INVOKESTATIC || !call.name().equalsString("closeFinally")) {
      return false;
    }
    String owner = call.owner().asInternalName();
    String type = call.type().stringValue();
    return (owner.endsWith("/AutoCloseableKt") || owner.endsWith("/CloseableKt"))
        && type.endsWith(";Ljava/lang/Throwable;)V")
        && type.indexOf(';') == type.length() - ";Ljava/lang/Throwable;)V".length();
  }

  /** A method that javac 9 and 10, and later D8, generate to avoid repeated code. */
  static boolean isCloseResource(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESTATIC
        && call.name().equalsString("$closeResource")
        && call.type().equalsString("(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V");
  }

  /** The method of {@code Throwable}, or a static stand-in with both exceptions as arguments. */
  static boolean isAddSuppressed(InvokeInstruction call) {
    if (!call.name().equalsString("addSuppressed")) {
      return false;
    }
    return call.opcode() == Opcode.INVOKESTATIC
        ? call.type().equalsString("(Ljava/lang/Throwable;Ljava/lang/Throwable;)V")
        : call.type().equalsString("(Ljava/lang/Throwable;)V");
  }

  /** {@code Objects.requireNonNull}, which hands its argument through. */
  static boolean isRequireNonNull(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESTATIC
        && call.name().equalsString("requireNonNull")
        && call.owner().asInternalName().equals("java/util/Objects")
        && call.type().stringValue().endsWith(")Ljava/lang/Object;");
  }

  /** A check that Kotlin makes of values from Java; it never fails for an arena. */
  static boolean isKotlinCheck(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESTATIC
        && call.name().stringValue().startsWith("check")
        && call.owner().asInternalName().endsWith("kotlin/jvm/internal/Intrinsics");
  }

  /** A mark for Kotlin's inliner; it does nothing. */
  static boolean isKotlinMark(InvokeInstruction call) {
    return call.opcode() == Opcode.INVOKESTATIC
        && call.owner().asInternalName().endsWith("kotlin/jvm/internal/InlineMarker");
  }

  /** The arena as a text, which is no more than a call of its {@code toString()}. */
  static boolean isText(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    String argument = call.type().stringValue();
    return argument.startsWith("(Ljava/lang/Object;)")
        && ((owner.equals("java/lang/String") && name.equals("valueOf"))
            || (owner.equals("java/lang/StringBuilder") && name.equals("append")));
  }

  /** A text with the arena in it, which is no more than a call of its {@code toString()}. */
  static boolean isTextConcatenation(InvokeDynamicInstruction call) {
    return call.invokedynamic()
        .bootstrap()
        .bootstrapMethod()
        .reference()
        .owner()
        .asInternalName()
        .equals("java/lang/invoke/StringConcatFactory");
  }

  /** A type to which a cast of an arena or of an exception cannot fail. */
  static boolean isPlainType(ClassEntry type) {
    return switch (type.asInternalName()) {
      case ARENA,
          "java/lang/foreign/SegmentAllocator",
          "java/lang/AutoCloseable",
          "java/lang/Throwable",
          "java/lang/Object" ->
          true;
      default -> false;
    };
  }
}
