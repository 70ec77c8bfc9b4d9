package dev.arenal.agent.sites;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Consumer;

/** Class files with one method whose code a test writes itself. */
final class HandBuilt {
  static final ClassDesc ARENA = ClassDesc.of("java.lang.foreign.Arena");
  static final ClassDesc AUTO_CLOSEABLE = ClassDesc.of("java.lang.AutoCloseable");
  static final ClassDesc SELF = ClassDesc.of("hand.Built");
  static final MethodTypeDesc RETURNS_ARENA = MethodTypeDesc.of(ARENA);
  static final MethodTypeDesc TAKES_OBJECT = MethodTypeDesc.of(CD_void, CD_Object);
  static final MethodTypeDesc SUPPRESSES = MethodTypeDesc.of(CD_void, CD_Throwable);

  private HandBuilt() {}

  /** A static method without parameters; nothing checks what is in it. */
  static byte[] classFile(Consumer<CodeBuilder> code) {
    return ClassFile.of(
            ClassFile.StackMapsOption.DROP_STACK_MAPS,
            ClassFile.DeadCodeOption.KEEP_DEAD_CODE,
            ClassFile.ShortJumpsOption.FIX_SHORT_JUMPS)
        .build(
            SELF,
            builder ->
                builder
                    .withVersion(ClassFile.JAVA_6_VERSION, 0)
                    .withMethodBody(
                        "code", MethodTypeDesc.of(CD_void), ClassFile.ACC_STATIC, code));
  }

  static List<Site> sites(Consumer<CodeBuilder> code) {
    return SiteFinder.sites(classFile(code));
  }

  /** The shape of the only site. */
  static SiteShape shape(Consumer<CodeBuilder> code) {
    List<Site> sites = sites(code);
    if (sites.size() != 1) {
      throw new IllegalStateException("not one site: " + sites);
    }
    return sites.getFirst().shape();
  }

  static void open(CodeBuilder code) {
    code.invokestatic(ARENA, "ofConfined", RETURNS_ARENA, true);
  }

  /** Anything that may throw. */
  static void work(CodeBuilder code) {
    code.invokestatic(SELF, "work", MethodTypeDesc.of(CD_void));
  }

  static void close(CodeBuilder code, int slot) {
    code.aload(slot).invokeinterface(AUTO_CLOSEABLE, "close", MethodTypeDesc.of(CD_void));
  }
}
