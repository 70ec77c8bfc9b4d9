package dev.arenal.agent.rewrite;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_MethodHandles_Lookup;
import static java.lang.constant.ConstantDescs.CD_MethodType;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Constants of classes that may not see the agent, because their loader does not delegate to its
 * loader. The JVM computes them once, when they are first used:
 *
 * <pre>{@code
 * loader = ClassLoader.getSystemClassLoader()          // the one that has the agent
 * type   = loader.loadClass("...")
 * handle = MethodHandles.publicLookup().findStatic(type, method, methodType)
 * answer = handle.invoke(MethodHandles.lookup())
 * }</pre>
 *
 * <p>The compiler sees through them: a call of such a handle is compiled to the same code as a
 * direct one.
 */
public final class AgentConstants {
  private static final ClassDesc CLASS_LOADER = ClassDesc.ofInternalName("java/lang/ClassLoader");
  private static final ClassDesc METHOD_HANDLES =
      ClassDesc.ofInternalName("java/lang/invoke/MethodHandles");

  private static final DirectMethodHandleDesc INVOKE =
      ConstantDescs.ofConstantBootstrap(
          ClassDesc.ofInternalName("java/lang/invoke/ConstantBootstraps"),
          "invoke",
          CD_Object,
          CD_MethodHandle,
          CD_Object.arrayType());

  private AgentConstants() {}

  /** The handle of a public static method of the agent. */
  static ConstantDesc handle(Class<?> owner, String method, MethodTypeDesc methodType) {
    ConstantDesc loader =
        computed(
            CLASS_LOADER, handle(Kind.STATIC, CLASS_LOADER, "getSystemClassLoader", CLASS_LOADER));
    ConstantDesc type =
        computed(
            CD_Class,
            handle(Kind.VIRTUAL, CLASS_LOADER, "loadClass", CD_Class, CD_String),
            loader,
            owner.getName());
    DirectMethodHandleDesc find =
        handle(
            Kind.VIRTUAL,
            CD_MethodHandles_Lookup,
            "findStatic",
            CD_MethodHandle,
            CD_Class,
            CD_String,
            CD_MethodType);
    return computed(CD_MethodHandle, find, lookup("publicLookup"), type, method, methodType);
  }

  /** The handle that such a method answers when it is given a lookup of the class. */
  public static ConstantDesc answer(Class<?> owner, String method) {
    MethodTypeDesc type = MethodTypeDesc.of(CD_MethodHandle, CD_MethodHandles_Lookup);
    return computed(CD_MethodHandle, handle(owner, method, type), lookup("lookup"));
  }

  private static ConstantDesc lookup(String method) {
    return computed(
        CD_MethodHandles_Lookup,
        handle(Kind.STATIC, METHOD_HANDLES, method, CD_MethodHandles_Lookup));
  }

  /** A constant whose value is the result of the handle for these arguments. */
  private static ConstantDesc computed(
      ClassDesc type, ConstantDesc handle, ConstantDesc... arguments) {
    ConstantDesc[] all = new ConstantDesc[1 + arguments.length];
    all[0] = handle;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return DynamicConstantDesc.ofNamed(INVOKE, "_", type, all);
  }

  private static DirectMethodHandleDesc handle(
      Kind kind, ClassDesc owner, String name, ClassDesc result, ClassDesc... arguments) {
    return MethodHandleDesc.ofMethod(kind, owner, name, MethodTypeDesc.of(result, arguments));
  }
}
