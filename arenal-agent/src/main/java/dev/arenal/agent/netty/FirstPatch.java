package dev.arenal.agent.netty;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import dev.arenal.agent.runtime.SeparateThread;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * The first patch of an allocator, before the program has one: made in the midst of class loading
 * at the end of a stack, it would leave classes of the JDK that can never be used again.
 */
final class FirstPatch {
  private static final ClassDesc NAME = ClassDesc.of("netty.buffer.FirstAllocator");
  private static final ClassDesc BUFFER = ClassDesc.of("netty.buffer.ByteBuf");

  private FirstPatch() {}

  /**
   * Patches a class that is used for nothing else.
   *
   * @throws Throwable if that cannot be done here
   */
  static void make() throws Throwable {
    var _ = SeparateThread.call(() -> AllocatorPatch.of(sample()));
  }

  /** As old as Netty's, and with a branch, so that there are frames to keep. */
  private static byte[] sample() {
    return ClassFile.of()
        .build(
            NAME,
            builder ->
                builder
                    .withVersion(ClassFile.JAVA_8_VERSION, 0)
                    .withMethodBody(
                        "newDirectBuffer",
                        MethodTypeDesc.of(BUFFER, CD_int, CD_int),
                        ClassFile.ACC_PROTECTED,
                        FirstPatch::makeBuffer)
                    .withMethodBody(
                        "usedDirectMemory",
                        MethodTypeDesc.of(CD_long),
                        ClassFile.ACC_PUBLIC,
                        code -> code.lconst_0().lreturn()));
  }

  private static void makeBuffer(CodeBuilder code) {
    Label none = code.newLabel();
    code.iload(1)
        .ifeq(none)
        .aconst_null()
        .invokestatic(NAME, "toLeakAwareBuffer", MethodTypeDesc.of(BUFFER, BUFFER))
        .areturn()
        .labelBinding(none)
        .aconst_null()
        .areturn();
  }
}
