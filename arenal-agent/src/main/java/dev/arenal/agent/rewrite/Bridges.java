package dev.arenal.agent.rewrite;

import java.io.ByteArrayOutputStream;

/**
 * Methods for classes that do not see the agent, because their loader does not delegate to its
 * loader. Each is private and static, and calls its factory through a constant:
 *
 * <pre>{@code
 * loader  = ClassLoader.getSystemClassLoader()          // the one that has the agent
 * type    = loader.loadClass("...ConfinedArenas")
 * handle  = MethodHandles.publicLookup().findStatic(type, name, methodType)
 * return handle.invokeExact()
 * }</pre>
 *
 * <p>The first three lines are constants that the JVM computes once, when the method first runs.
 * The compiler sees through them: such a call is compiled to the same code as a direct one.
 */
final class Bridges {
  private static final String CONSTANT_BOOTSTRAPS = "java/lang/invoke/ConstantBootstraps";
  private static final String INVOKE =
      "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;"
          + "Ljava/lang/invoke/MethodHandle;[Ljava/lang/Object;)Ljava/lang/Object;";
  private static final String CLASS_LOADER = "java/lang/ClassLoader";
  private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
  private static final String METHOD_HANDLE = "java/lang/invoke/MethodHandle";

  private static final int PRIVATE_STATIC_SYNTHETIC = 0x0002 | 0x0008 | 0x1000;
  private static final int LDC_W = 0x13;
  private static final int INVOKEVIRTUAL = 0xB6;
  private static final int ARETURN = 0xB0;
  private static final int CODE_BYTES = 7;

  private final AddedConstants constants;
  private final String runtimeClass;
  private final String descriptor;
  private final int firstBootstrapMethod;
  private final ByteArrayOutputStream bootstrapMethods = new ByteArrayOutputStream();
  private final ByteArrayOutputStream methods = new ByteArrayOutputStream();
  private int bootstrapMethodCount;
  private int methodCount;
  private int lookup;
  private int type;

  Bridges(
      AddedConstants constants, String runtimeClass, String descriptor, int firstBootstrapMethod) {
    this.constants = constants;
    this.runtimeClass = runtimeClass;
    this.descriptor = descriptor;
    this.firstBootstrapMethod = firstBootstrapMethod;
  }

  int methodCount() {
    return methodCount;
  }

  int bootstrapMethodCount() {
    return bootstrapMethodCount;
  }

  byte[] methods() {
    return methods.toByteArray();
  }

  byte[] bootstrapMethods() {
    return bootstrapMethods.toByteArray();
  }

  /** The attribute of a class that had none. */
  byte[] bootstrapAttribute() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    u2(out, constants.utf8("BootstrapMethods"));
    u4(out, 2 + bootstrapMethods.size());
    u2(out, bootstrapMethodCount);
    out.writeBytes(bootstrapMethods());
    return out.toByteArray();
  }

  void add(Factory factory) {
    if (methodCount == 0) {
      addSharedConstants();
    }
    int findStatic =
        handle(
            AddedConstants.INVOKE_VIRTUAL,
            LOOKUP,
            "findStatic",
            "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)"
                + "Ljava/lang/invoke/MethodHandle;");
    int handle =
        computed(
            "Ljava/lang/invoke/MethodHandle;",
            findStatic,
            lookup,
            type,
            constants.string(factory.method()),
            constants.methodType(descriptor));
    addMethod(factory.bridgeMethod(), handle);
  }

  private void addSharedConstants() {
    // Named here, because the file's constants are written before its attributes.
    var _ = constants.utf8("BootstrapMethods");
    int loader =
        computed(
            "Ljava/lang/ClassLoader;",
            handle(
                AddedConstants.INVOKE_STATIC,
                CLASS_LOADER,
                "getSystemClassLoader",
                "()Ljava/lang/ClassLoader;"));
    type =
        computed(
            "Ljava/lang/Class;",
            handle(
                AddedConstants.INVOKE_VIRTUAL,
                CLASS_LOADER,
                "loadClass",
                "(Ljava/lang/String;)Ljava/lang/Class;"),
            loader,
            constants.string(runtimeClass.replace('/', '.')));
    lookup =
        computed(
            "Ljava/lang/invoke/MethodHandles$Lookup;",
            handle(
                AddedConstants.INVOKE_STATIC,
                "java/lang/invoke/MethodHandles",
                "publicLookup",
                "()Ljava/lang/invoke/MethodHandles$Lookup;"));
  }

  /** A constant whose value is the result of the handle for these arguments. */
  private int computed(String constantType, int handle, int... arguments) {
    int invoke = handle(AddedConstants.INVOKE_STATIC, CONSTANT_BOOTSTRAPS, "invoke", INVOKE);
    u2(bootstrapMethods, invoke);
    u2(bootstrapMethods, 1 + arguments.length);
    u2(bootstrapMethods, handle);
    for (int argument : arguments) {
      u2(bootstrapMethods, argument);
    }
    int index = firstBootstrapMethod + bootstrapMethodCount;
    bootstrapMethodCount++;
    return constants.dynamic(index, "_", constantType);
  }

  private int handle(int kind, String owner, String name, String methodDescriptor) {
    return constants.handle(kind, constants.method(owner, name, methodDescriptor));
  }

  private void addMethod(String name, int handle) {
    u2(methods, PRIVATE_STATIC_SYNTHETIC);
    u2(methods, constants.utf8(name));
    u2(methods, constants.utf8(descriptor));
    u2(methods, 1);
    u2(methods, constants.utf8("Code"));
    u4(methods, 2 + 2 + 4 + CODE_BYTES + 2 + 2);
    u2(methods, 1); // stack
    u2(methods, 0); // locals
    u4(methods, CODE_BYTES);
    methods.write(LDC_W);
    u2(methods, handle);
    methods.write(INVOKEVIRTUAL);
    u2(methods, constants.method(METHOD_HANDLE, "invokeExact", descriptor));
    methods.write(ARETURN);
    u2(methods, 0); // exception handlers
    u2(methods, 0); // attributes
    methodCount++;
  }

  private static void u2(ByteArrayOutputStream out, int value) {
    out.write(value >> 8);
    out.write(value);
  }

  private static void u4(ByteArrayOutputStream out, int value) {
    u2(out, value >> 16);
    u2(out, value);
  }
}
