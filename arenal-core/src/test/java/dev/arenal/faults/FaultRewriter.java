package dev.arenal.faults;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.Set;

/**
 * Puts a question to {@link Faults} before each object creation, after what may grow, and at the
 * start of each method; and has each call to the kernel noted in {@link KernelNotes}.
 */
final class FaultRewriter {
  private static final ClassDesc FAULTS = ClassDesc.of("dev.arenal.faults.Faults");
  private static final MethodTypeDesc NO_ARGUMENTS = MethodTypeDesc.of(CD_void);

  private static final ClassDesc NOTES = ClassDesc.of("dev.arenal.faults.KernelNotes");
  private static final MethodTypeDesc BEFORE_CALL =
      MethodTypeDesc.of(CD_void, CD_Object, CD_long, CD_long, CD_long, CD_long, CD_long, CD_long);
  private static final MethodTypeDesc AFTER_CALL =
      MethodTypeDesc.of(CD_void, CD_long, CD_Object, CD_long, CD_long, CD_long);

  /** Methods of the JDK that create objects, by name: what the library calls of them. */
  private static final Set<String> CREATING =
      Set.of(
          "add",
          "addAll",
          "addFirst",
          "addLast",
          "addSuppressed",
          "allocate",
          "allocateFrom",
          "append",
          "asSlice",
          "clone",
          "collect",
          "computeIfAbsent",
          "concat",
          "copyOf",
          "copyOfRange",
          "entrySet",
          "format",
          "formatted",
          "iterator",
          "keySet",
          "lines",
          "of",
          "ofAddress",
          "ofConfined",
          "ofPlatform",
          "ofShared",
          "ofVirtual",
          "offer",
          "offerFirst",
          "offerLast",
          "push",
          "put",
          "putIfAbsent",
          "register",
          "reinterpret",
          "repeat",
          "split",
          "start",
          "stream",
          "substring",
          "toArray",
          "toHexString",
          "toList",
          "toString",
          "unstarted",
          "valueOf",
          "values");

  /**
   * Methods that take an entry first and grow then, by type and method as the library names them.
   * Not those that grow first: lists, bit sets, priority queues, linked queues; nor a tree.
   */
  private static final Map<String, Set<String>> GROWING =
      Map.of(
          "java/util/Set",
          Set.of("add"), // concurrent or hashed
          "java/util/Map",
          Set.of("put", "putIfAbsent", "computeIfAbsent"),
          "java/util/HashMap",
          Set.of("put", "putIfAbsent", "computeIfAbsent"),
          "java/util/concurrent/ConcurrentHashMap",
          Set.of("put", "putIfAbsent", "computeIfAbsent"),
          "java/util/ArrayDeque",
          Set.of("add", "addFirst", "addLast", "offer", "offerFirst", "offerLast", "push"),
          "java/util/Deque",
          Set.of("add", "addFirst", "addLast", "offer", "offerFirst", "offerLast", "push"),
          "java/lang/ThreadLocal",
          Set.of("set"),
          "javax/management/MBeanServer",
          Set.of("registerMBean")); // tells its listeners then

  private FaultRewriter() {}

  /** Static initializers are left alone unless they are asked for, too. */
  static byte[] rewrite(byte[] bytes, boolean withStatics) {
    ClassFile context = ClassFile.of();
    ClassModel model = context.parse(bytes);
    boolean isOfReserve = model.thisClass().name().equalsString("dev/arenal/guard/StackReserve");
    boolean isOfKernel = model.thisClass().name().equalsString("dev/arenal/os/KernelCalls");
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method
              && (withStatics || !method.methodName().equalsString("<clinit>"))) {
            boolean isReserve =
                isOfReserve && method.methodName().stringValue().startsWith("ensure");
            boolean isKernelCall = isOfKernel && method.methodName().equalsString("call");
            builder.transformMethod(
                method, MethodTransform.transformingCode(new Questions(isReserve, isKernelCall)));
          } else {
            builder.with(element);
          }
        };
    return context.transformClass(model, transform);
  }

  /** Of one method. */
  private record Questions(boolean isReserve, boolean isKernelCall) implements CodeTransform {
    @Override
    public void atStart(CodeBuilder builder) {
      builder.invokestatic(FAULTS, "onEntry", NO_ARGUMENTS);
      if (isReserve) {
        builder.invokestatic(FAULTS, "onReserve", NO_ARGUMENTS);
      }
      if (isKernelCall) { // nothing fails between this and the call
        loadArguments(builder, 6);
        builder.invokestatic(NOTES, "beforeCall", BEFORE_CALL);
      }
    }

    /** The object, and the first of the arguments, which are all of type long. */
    private static void loadArguments(CodeBuilder builder, int count) {
      builder.aload(0);
      for (int i = 0; i < count; i++) {
        builder.lload(builder.parameterSlot(i));
      }
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (createsObject(element)) {
        builder.invokestatic(FAULTS, "onCreation", NO_ARGUMENTS);
      }
      if (isKernelCall && element instanceof ReturnInstruction) {
        builder.dup2();
        loadArguments(builder, 3);
        builder.invokestatic(NOTES, "afterCall", AFTER_CALL);
      }
      builder.with(element);
      if (growsWhenDone(element)) {
        builder.invokestatic(FAULTS, "onGrowth", NO_ARGUMENTS);
      }
    }

    private static boolean growsWhenDone(CodeElement element) {
      return element instanceof InvokeInstruction call
          && GROWING
              .getOrDefault(call.owner().asInternalName(), Set.of())
              .contains(call.name().stringValue());
    }

    private static boolean createsObject(CodeElement element) {
      return switch (element) {
        case NewObjectInstruction _,
            NewPrimitiveArrayInstruction _,
            NewReferenceArrayInstruction _,
            NewMultiArrayInstruction _,
            InvokeDynamicInstruction _ ->
            true;
        case InvokeInstruction call ->
            !call.owner().asInternalName().startsWith("dev/arenal/")
                && CREATING.contains(call.name().stringValue());
        default -> false;
      };
    }
  }
}
