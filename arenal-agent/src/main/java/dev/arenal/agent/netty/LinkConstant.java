package dev.arenal.agent.netty;

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
 * A constant of a class that does not see the agent: the handle that a method of {@link NettyLink}
 * answers when it is given a lookup of that class.
 *
 * <pre>{@code
 * loader = ClassLoader.getSystemClassLoader()          // the one that has the agent
 * type   = loader.loadClass("...NettyLink")
 * link   = MethodHandles.publicLookup().findStatic(type, method, methodType)
 * value  = link.invoke(MethodHandles.lookup())
 * }</pre>
 */
final class LinkConstant {
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

  private LinkConstant() {}

  /** Computed by that method when it is first needed. */
  static ConstantDesc of(String method) {
    ConstantDesc loader =
        computed(
            CLASS_LOADER, handle(Kind.STATIC, CLASS_LOADER, "getSystemClassLoader", CLASS_LOADER));
    ConstantDesc type =
        computed(
            CD_Class,
            handle(Kind.VIRTUAL, CLASS_LOADER, "loadClass", CD_Class, CD_String),
            loader,
            NettyLink.class.getName());
    DirectMethodHandleDesc find =
        handle(
            Kind.VIRTUAL,
            CD_MethodHandles_Lookup,
            "findStatic",
            CD_MethodHandle,
            CD_Class,
            CD_String,
            CD_MethodType);
    MethodTypeDesc linkType = MethodTypeDesc.of(CD_MethodHandle, CD_MethodHandles_Lookup);
    ConstantDesc link =
        computed(CD_MethodHandle, find, lookup("publicLookup"), type, method, linkType);
    return computed(CD_MethodHandle, link, lookup("lookup"));
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
