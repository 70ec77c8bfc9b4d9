package dev.arenal.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The rewriting of class files; tests with the agent's jar show that the JVM takes real ones. */
final class AllocatorPatchTest {
  private static final ClassDesc ALLOCATOR =
      ClassDesc.ofInternalName("my/netty/buffer/PooledByteBufAllocator");
  private static final ClassDesc BUFFER = ClassDesc.ofInternalName("my/netty/buffer/ByteBuf");
  private static final MethodTypeDesc MAKER =
      MethodTypeDesc.of(BUFFER, ConstantDescs.CD_int, ConstantDescs.CD_int);
  private static final MethodTypeDesc WATCHER = MethodTypeDesc.of(BUFFER, BUFFER);

  private static byte[] allocator(int version, Consumer<CodeBuilder> code) {
    return ClassFile.of()
        .build(
            ALLOCATOR,
            builder ->
                builder
                    .withVersion(version, 0)
                    .withMethodBody("newDirectBuffer", MAKER, ClassFile.ACC_PROTECTED, code)
                    .withMethodBody(
                        "usedDirectMemory",
                        MethodTypeDesc.of(ConstantDescs.CD_long),
                        ClassFile.ACC_PUBLIC,
                        AllocatorPatchTest::twoReturns));
  }

  /** The frame of a loop is where the method begins. */
  private static void loop(CodeBuilder code) {
    var _ =
        code.iload(1)
            .ifgt(code.startLabel())
            .aconst_null()
            .invokestatic(ALLOCATOR, "toLeakAwareBuffer", WATCHER)
            .areturn();
  }

  private static void twoReturns(CodeBuilder code) {
    var _ =
        code.aload(0)
            .ifThenElse(
                java.lang.classfile.Opcode.IFNULL,
                then -> then.lconst_0().lreturn(),
                other -> other.lconst_1().lreturn());
  }

  @Test
  void frames_stayRight() {
    for (int version : new int[] {50, 52, 61}) {
      byte[] patched = AllocatorPatch.of(allocator(version, AllocatorPatchTest::loop));
      assertThat(ClassFile.of().verify(patched)).isEmpty();
      ClassModel model = ClassFile.of().parse(patched);
      assertThat(model.majorVersion()).isEqualTo(Math.max(version, 55));
      assertThat(model.methods()).hasSize(2);
      assertThat(model.fields()).isEmpty();
    }
  }

  @Test
  void patchedClassFile_isKnown() {
    byte[] classFile = allocator(61, AllocatorPatchTest::loop);
    assertThat(AllocatorPatch.isPatched(classFile)).isFalse();
    assertThat(AllocatorPatch.isPatched(AllocatorPatch.of(classFile))).isTrue();
  }

  @Test
  void classFileWithoutFrames_isRefused() {
    byte[] old = allocator(49, AllocatorPatchTest::loop);
    assertThatThrownBy(() -> AllocatorPatch.of(old))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage("class file is too old: version=49 (expected as in Netty 4.1 or 4.2)");
  }

  @Test
  void otherWayToWatchLeaks_isRefused() {
    byte[] other = allocator(52, code -> code.aconst_null().areturn());
    assertThatThrownBy(() -> AllocatorPatch.of(other))
        .isInstanceOf(UnknownShapeException.class)
        .hasMessage(
            "leaks are watched in another way: method=newDirectBuffer (expected as in Netty 4.1"
                + " or 4.2)");
  }
}
