package dev.arenal.agent.netty;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import dev.arenal.agent.rewrite.AgentConstants;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An allocator of Netty that asks the agent first. Its method that makes direct buffers begins with
 *
 * <pre>{@code
 * ByteBuf buffer = (ByteBuf) HANDLE.invokeExact(this, initialCapacity, maxCapacity);
 * if (buffer != null) return toLeakAwareBuffer(buffer); // throws: release first
 * }</pre>
 *
 * <p>and continues unchanged; the methods that return used bytes add those of the agent's pages.
 * Each handle is a constant that the JVM computes at the first use, by way of the application's
 * class loader: the allocator's own need not see the agent. No method and no field is added, so
 * that a loaded class can be changed in the same way.
 */
final class AllocatorPatch {
  /** Constants that are computed came with Java 11. */
  private static final int LEAST_VERSION = ClassFile.JAVA_11_VERSION;

  /** Before that version a class file need not have stack maps. */
  private static final int OLDEST_VERSION = ClassFile.JAVA_6_VERSION;

  private static final String INVOKE = "invokeExact";
  private static final String MAKER = "newDirectBuffer";
  private static final String WATCHER = "toLeakAwareBuffer";

  /** The local variable behind the arguments, until the method goes on as it was. */
  private static final int MADE = 3;

  private static final List<String> FIGURES = List.of("usedDirectMemory", "pinnedDirectMemory");

  private final ClassModel model;
  private final ClassDesc buffer;
  private final MethodModel maker;
  private final MemberRefEntry watcher;

  /** Whether a class file is one that was patched: a tool may have made another out of it. */
  static boolean isPatched(byte[] classFile) {
    String letters = new String(classFile, StandardCharsets.ISO_8859_1);
    return letters.contains(NettyLink.class.getName());
  }

  private AllocatorPatch(ClassModel model) {
    this.model = model;
    String root = NettyNames.rootOf(model.thisClass().asInternalName());
    this.buffer = ClassDesc.ofInternalName(root + "buffer/ByteBuf");
    this.maker = maker();
    this.watcher = watcher();
    if (model.majorVersion() < OLDEST_VERSION) {
      throw unknown("class file is too old: version=" + model.majorVersion());
    }
  }

  /**
   * The changed class file.
   *
   * @throws UnknownShapeException if it differs from those of Netty 4.1 and 4.2
   */
  static byte[] of(byte[] classFile) {
    ClassFile file = ClassFile.of(StackMapsOption.DROP_STACK_MAPS);
    AllocatorPatch patch = new AllocatorPatch(file.parse(classFile));
    return file.transformClass(patch.model, patch::accept);
  }

  private MethodModel maker() {
    MethodTypeDesc type = MethodTypeDesc.of(buffer, CD_int, CD_int);
    return model.methods().stream()
        .filter(method -> method.methodName().equalsString(MAKER))
        .filter(method -> method.methodTypeSymbol().equals(type) && method.code().isPresent())
        .findFirst()
        .orElseThrow(() -> unknown("no such method: name=" + MAKER));
  }

  /** As the method calls it itself, for its own buffers. */
  private MemberRefEntry watcher() {
    for (CodeElement element : maker.code().orElseThrow()) {
      if (element instanceof InvokeInstruction call
          && call.opcode() == Opcode.INVOKESTATIC
          && call.name().equalsString(WATCHER)
          && call.typeSymbol().equals(MethodTypeDesc.of(buffer, buffer))) {
        return call.method();
      }
    }
    throw unknown("leaks are watched in another way: method=" + MAKER);
  }

  private static UnknownShapeException unknown(String message) {
    return new UnknownShapeException(message, "as in Netty 4.1 or 4.2");
  }

  private void accept(ClassBuilder builder, ClassElement element) {
    if (element instanceof ClassFileVersion version && version.majorVersion() < LEAST_VERSION) {
      var _ = builder.withVersion(LEAST_VERSION, 0);
    } else if (element == maker) {
      builder.transformMethod(maker, MethodTransform.transformingCode(asking(maker)));
    } else if (element instanceof MethodModel method && isFigure(method)) {
      builder.transformMethod(method, MethodTransform.transformingCode(adding(method)));
    } else {
      var _ = builder.with(element);
    }
  }

  private static boolean isFigure(MethodModel method) {
    return FIGURES.contains(method.methodName().stringValue())
        && method.methodType().equalsString("()J")
        && method.code().isPresent();
  }

  /** Copies the code of one method; the frames that it had still hold. */
  private abstract static class Copying implements CodeTransform {
    final List<StackMapFrameInfo> frames = new ArrayList<>();

    Copying(MethodModel method) {
      CodeModel code = method.code().orElseThrow();
      code.findAttribute(Attributes.stackMapTable()).ifPresent(all -> frames.addAll(all.entries()));
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      var _ = builder.with(element);
    }

    @Override
    public void atEnd(CodeBuilder builder) {
      if (!frames.isEmpty()) {
        var _ = builder.with(StackMapTableAttribute.of(frames));
      }
    }
  }

  private CodeTransform asking(MethodModel method) {
    return new Copying(method) {
      @Override
      public void atStart(CodeBuilder builder) {
        Label own = builder.newLabel();
        Label start = builder.newLabel();
        Label end = builder.newLabel(); // and where a failure of the watcher goes on
        builder
            .loadConstant(AgentConstants.answer(NettyLink.class, "newBuffer"))
            .aload(0)
            .iload(1)
            .iload(2)
            .invokevirtual(CD_MethodHandle, INVOKE, descriptor(NettyLink.NEW_BUFFER))
            .dup()
            .ifnull(own)
            .checkcast(buffer)
            .astore(MADE)
            .labelBinding(start)
            .aload(MADE)
            .invoke(Opcode.INVOKESTATIC, watcher)
            .areturn()
            .labelBinding(end)
            .aload(MADE)
            .invokevirtual(buffer, "release", MethodTypeDesc.of(CD_boolean))
            .pop()
            .athrow()
            .labelBinding(own)
            .pop()
            .exceptionCatchAll(start, end, end);
        frames.addFirst(
            StackMapFrameInfo.of(
                own,
                List.of(
                    ObjectVerificationTypeInfo.of(model.thisClass()),
                    SimpleVerificationTypeInfo.INTEGER,
                    SimpleVerificationTypeInfo.INTEGER),
                List.of(ObjectVerificationTypeInfo.of(CD_Object))));
        frames.addFirst(
            StackMapFrameInfo.of(
                end,
                List.of(
                    ObjectVerificationTypeInfo.of(model.thisClass()),
                    SimpleVerificationTypeInfo.INTEGER,
                    SimpleVerificationTypeInfo.INTEGER,
                    ObjectVerificationTypeInfo.of(buffer)),
                List.of(ObjectVerificationTypeInfo.of(CD_Throwable))));
      }
    };
  }

  private static CodeTransform adding(MethodModel method) {
    return new Copying(method) {
      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        if (element instanceof ReturnInstruction) {
          builder
              .loadConstant(AgentConstants.answer(NettyLink.class, "usedBytes"))
              .invokevirtual(CD_MethodHandle, INVOKE, descriptor(NettyLink.USED_BYTES))
              .ladd();
        }
        super.accept(builder, element);
      }
    };
  }

  private static MethodTypeDesc descriptor(MethodType type) {
    return MethodTypeDesc.ofDescriptor(type.descriptorString());
  }
}
