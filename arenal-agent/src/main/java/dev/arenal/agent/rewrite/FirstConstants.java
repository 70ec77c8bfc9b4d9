package dev.arenal.agent.rewrite;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.arenal.agent.runtime.SeparateThread;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The first use of {@link AgentConstants}, before any class of the program has some. The JDK has
 * classes that compute them, and initializes these when they are first needed. If that is at the
 * end of a stack, they can never be used again: neither by the site, nor by any other, nor by other
 * users of such constants.
 */
public final class FirstConstants {
  private static final MethodTypeDesc FACTORY_TYPE =
      MethodTypeDesc.of(ClassDesc.ofInternalName("java/lang/foreign/Arena"));

  private FirstConstants() {}

  /**
   * Has constants computed and called, by a class that is used for nothing else. Each takes tens of
   * milliseconds of the start.
   *
   * @param withAnswer whether also one whose handle is the answer of another
   * @throws Throwable if that cannot be done here
   */
  public static void compute(boolean withAnswer) throws Throwable {
    var _ = SeparateThread.call(() -> define(withAnswer));
  }

  /** The class does its work where it is initialized. */
  private static Class<?> define(boolean withAnswer) throws IllegalAccessException {
    ClassDesc name = ClassDesc.of(FirstConstants.class.getPackageName(), "UserOfConstants");
    byte[] classFile =
        ClassFile.of()
            .build(
                name,
                builder ->
                    builder.withMethodBody(
                        ConstantDescs.CLASS_INIT_NAME,
                        MethodTypeDesc.of(CD_void),
                        ClassFile.ACC_STATIC,
                        code -> use(code, withAnswer)));
    return MethodHandles.lookup().defineHiddenClass(classFile, true).lookupClass();
  }

  private static void use(CodeBuilder code, boolean withAnswer) {
    var _ =
        code.loadConstant(AgentConstants.handle(FirstConstants.class, "factory", FACTORY_TYPE))
            .invokevirtual(CD_MethodHandle, "invokeExact", FACTORY_TYPE)
            .pop();
    if (withAnswer) {
      var _ =
          code.loadConstant(AgentConstants.answer(FirstConstants.class, "link"))
              .invokevirtual(CD_MethodHandle, "invokeExact", MethodTypeDesc.of(CD_Object))
              .pop();
    }
    var _ = code.return_();
  }

  /** Called by the class, as bridges call their factories. */
  public static @Nullable Arena factory() {
    return null;
  }

  /** Called by the class, as allocators of Netty call the agent. */
  public static MethodHandle link(Lookup lookup) {
    return MethodHandles.empty(MethodType.methodType(Object.class));
  }
}
