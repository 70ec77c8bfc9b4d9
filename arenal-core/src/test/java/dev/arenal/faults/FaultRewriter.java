package dev.arenal.faults;

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
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Map;
import java.util.Set;

/**
 * Puts a question to {@link Faults} before each object creation, after what may grow, and at the
 * start of each method.
 */
final class FaultRewriter {
  private static final ClassDesc FAULTS = ClassDesc.of("dev.arenal.faults.Faults");
  private static final MethodTypeDesc NO_ARGUMENTS = MethodTypeDesc.of(CD_void);

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
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method
              && (withStatics || !method.methodName().equalsString("<clinit>"))) {
            boolean isReserve =
                isOfReserve && method.methodName().stringValue().startsWith("ensure");
            builder.transformMethod(
                method, MethodTransform.transformingCode(new Questions(isReserve)));
          } else {
            builder.with(element);
          }
        };
    return context.transformClass(model, transform);
  }

  /** Of one method. */
  private record Questions(boolean isReserve) implements CodeTransform {
    @Override
    public void atStart(CodeBuilder builder) {
      builder.invokestatic(FAULTS, "onEntry", NO_ARGUMENTS);
      if (isReserve) {
        builder.invokestatic(FAULTS, "onReserve", NO_ARGUMENTS);
      }
    }

    @Override
    public void accept(CodeBuilder builder, CodeElement element) {
      if (createsObject(element)) {
        builder.invokestatic(FAULTS, "onCreation", NO_ARGUMENTS);
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
