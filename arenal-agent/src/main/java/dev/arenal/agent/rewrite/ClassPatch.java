package dev.arenal.agent.rewrite;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.invoke.MethodHandleInfo.REF_invokeStatic;

import dev.arenal.agent.runtime.ConfinedArenas;
import dev.arenal.agent.sites.Site;
import dev.arenal.agent.sites.SiteFinder;
import dev.arenal.agent.sites.SiteShape;
import java.io.ByteArrayOutputStream;
import java.lang.classfile.BootstrapMethodEntry;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ConstantPool;
import java.lang.classfile.constantpool.ConstantPoolBuilder;
import java.lang.classfile.constantpool.DynamicConstantPoolEntry;
import java.lang.classfile.constantpool.IntegerEntry;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.LambdaMetafactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class file whose sites call other factories, and which is otherwise the same, byte for byte:
 * constants are added behind the others, and in the code only their numbers change. None of its
 * code is assembled anew, so there are no stack maps to compute and no class hierarchy to ask for.
 *
 * <p>A class that sees {@link ConfinedArenas} calls it directly. Any other calls a private static
 * method that is added to it, the bridge, which calls the factory by a handle of {@link
 * AgentConstants}.
 */
final class ClassPatch {
  private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";
  private static final ClassDesc RUNTIME = ClassDesc.of(ConfinedArenas.class.getName());
  private static final MethodTypeDesc FACTORY_TYPE =
      MethodTypeDesc.of(ClassDesc.ofInternalName("java/lang/foreign/Arena"));

  private static final int BRIDGE_FLAGS =
      ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

  /** Where in the arguments of a metafactory the function is, and the flags of the longer one. */
  private static final int FUNCTION_ARGUMENT = 1;

  private static final int FLAGS_ARGUMENT = 3;

  /** Tables have their length in two bytes. */
  private static final int MOST_ENTRIES = 0xFFFF;

  private final byte[] bytes;
  private final ClassModel model;
  private final ConstantPool constants;
  private final ClassFileParts parts;
  private final boolean isBridged;

  /** Its constants, and those that go behind them. */
  private final ConstantPoolBuilder more;

  /**
   * A class file as it is.
   *
   * @param isBridged whether the class does not see {@link ConfinedArenas}
   */
  ClassPatch(byte[] original, boolean isBridged) {
    this.bytes = original.clone();
    this.model = SiteFinder.parse(original);
    this.constants = model.constantPool();
    this.parts = new ClassFileParts(original, constants);
    this.isBridged = isBridged;
    this.more = ConstantPoolBuilder.of(model);
  }

  boolean hasDynamicConstants() {
    return model.majorVersion() >= ClassFile.JAVA_11_VERSION;
  }

  /** Makes the site call that factory; says why not if it cannot be. */
  @Nullable LeftAlone redirect(Site site, Factory factory) {
    int codeAt = parts.codeAt(site.method(), site.descriptor());
    if (codeAt < 0 || site.bytecodeIndex() + 3 > parts.codeBytes(codeAt)) {
      return LeftAlone.MISMATCH;
    }
    int at = codeAt + site.bytecodeIndex();
    boolean isReference = site.shape() == SiteShape.METHOD_REFERENCE;
    Opcode expected = isReference ? Opcode.INVOKEDYNAMIC : Opcode.INVOKESTATIC;
    if (parts.u1(at) != expected.bytecode()) {
      return isReference ? LeftAlone.FOREIGN_REFERENCE : LeftAlone.MISMATCH;
    }
    return switch (constants.entryByIndex(parts.u2(at + 1))) {
      case InvokeDynamicEntry call when isReference -> redirect(call.bootstrap(), factory);
      case MemberRefEntry method when !isReference && SiteFinder.isFactory(method) -> {
        writeU2(at + 1, target(factory).index());
        yield null;
      }
      default -> LeftAlone.MISMATCH;
    };
  }

  /** All method references that share the bootstrap method are the same, so all change at once. */
  private @Nullable LeftAlone redirect(BootstrapMethodEntry bootstrap, Factory factory) {
    MemberRefEntry maker = bootstrap.bootstrapMethod().reference();
    List<LoadableConstantEntry> arguments = bootstrap.arguments();
    boolean isOfJdk = maker.owner().asInternalName().equals(METAFACTORY);
    boolean isPlain = isOfJdk && maker.name().equalsString("metafactory");
    boolean isLonger =
        isOfJdk && maker.name().equalsString("altMetafactory") && arguments.size() > FLAGS_ARGUMENT;
    if (!(isPlain || isLonger)
        || arguments.size() <= FUNCTION_ARGUMENT
        || !(arguments.get(FUNCTION_ARGUMENT) instanceof MethodHandleEntry function)
        || function.kind() != REF_invokeStatic
        || !SiteFinder.isFactory(function.reference())) {
      return LeftAlone.FOREIGN_REFERENCE;
    }
    if (isLonger && isSerializable(arguments.get(FLAGS_ARGUMENT))) {
      return LeftAlone.SERIALIZABLE;
    }
    writeU2(
        parts.bootstrapArgumentAt(bootstrap.bsmIndex(), FUNCTION_ARGUMENT),
        more.methodHandleEntry(REF_invokeStatic, target(factory)).index());
    return null;
  }

  private static boolean isSerializable(LoadableConstantEntry flags) {
    return !(flags instanceof IntegerEntry known)
        || (known.intValue() & LambdaMetafactory.FLAG_SERIALIZABLE) != 0;
  }

  private MemberRefEntry target(Factory factory) {
    if (!isBridged) {
      return more.methodRefEntry(RUNTIME, factory.method(), FACTORY_TYPE);
    }
    NameAndTypeEntry bridge = more.nameAndTypeEntry(factory.bridgeMethod(), FACTORY_TYPE);
    return (model.flags().flagsMask() & ClassFile.ACC_INTERFACE) != 0
        ? more.interfaceMethodRefEntry(model.thisClass(), bridge)
        : more.methodRefEntry(model.thisClass(), bridge);
  }

  /**
   * The class file with its changes.
   *
   * @param bridges the factories a bridged class gets methods for, called or not: a class that is
   *     transformed again must have the same methods again; it may have them already, if a tool has
   *     made the new version out of the rewritten one
   */
  byte[] finish(Iterable<Factory> bridges) {
    byte[] added = added(bridges);
    ClassFileParts addedParts = new ClassFileParts(added, more);
    int knownTableBytes = parts.bootstrapMethodsBytes();
    int tableBytes = addedParts.bootstrapMethodsBytes();
    boolean hasMore = more.bootstrapMethodCount() > constants.bootstrapMethodCount();
    writeCount(ClassFileParts.COUNT_CONSTANTS_AT, more.size(), "constants");
    writeCount(
        parts.countMethodsAt(),
        parts.u2(parts.countMethodsAt()) + addedParts.u2(addedParts.countMethodsAt()),
        "methods");
    if (hasMore && knownTableBytes > 0) {
      int tableAt = parts.bootstrapMethodsAt();
      writeCount(tableAt + 6, more.bootstrapMethodCount(), "bootstrap methods");
      writeU2(tableAt + 2, (tableBytes - 6) >> 16);
      writeU2(tableAt + 4, tableBytes - 6);
    } else if (hasMore) {
      checkNoEntriesAreNamed();
      writeCount(parts.methodsEnd(), parts.u2(parts.methodsEnd()) + 1, "attributes");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + added.length);
    int at = copy(bytes, 0, parts.constantsEnd(), out);
    var _ = copy(added, at, addedParts.constantsEnd(), out); // the same constants come first
    at = copy(bytes, at, parts.methodsEnd(), out);
    var _ = copy(added, addedParts.countMethodsAt() + 2, addedParts.methodsEnd(), out);
    if (hasMore) {
      int tableEnd = parts.bootstrapMethodsAt() + knownTableBytes;
      at = copy(bytes, at, knownTableBytes > 0 ? tableEnd : bytes.length, out);
      int tableAt = addedParts.bootstrapMethodsAt();
      var _ = copy(added, tableAt + knownTableBytes, tableAt + tableBytes, out);
    }
    var _ = copy(bytes, at, bytes.length, out);
    return out.toByteArray();
  }

  /** A damaged class must not be repaired by the table that a bridge brings. */
  private void checkNoEntriesAreNamed() {
    for (PoolEntry constant : constants) {
      if (constant instanceof DynamicConstantPoolEntry) {
        throw new IllegalArgumentException(
            "class file names bootstrap methods and has none: constant=" + constant.index());
      }
    }
  }

  /** A class file that has all constants, and besides them nothing but the bridges. */
  private byte[] added(Iterable<Factory> bridges) {
    try {
      return ClassFile.of(StackMapsOption.DROP_STACK_MAPS) // bridges do not branch
          .build(
              model.thisClass(),
              more,
              builder -> {
                model.superclass().ifPresent(builder::withSuperclass);
                if (isBridged) {
                  bridges.forEach(factory -> addBridge(builder, factory));
                }
              });
    } catch (IllegalArgumentException e) {
      throw more.size() > MOST_ENTRIES ? new NoRoomException("constants") : e;
    }
  }

  private void addBridge(ClassBuilder builder, Factory factory) {
    String name = factory.bridgeMethod();
    boolean isThere =
        model.methods().stream()
            .anyMatch(method ->
                method.methodName().equalsString(name)
                    && method.methodType().isMethodType(FACTORY_TYPE));
    if (!isThere) {
      var _ =
          builder.withMethodBody(
              name,
              FACTORY_TYPE,
              BRIDGE_FLAGS,
              code ->
                  code.loadConstant(
                          AgentConstants.handle(
                              ConfinedArenas.class, factory.method(), FACTORY_TYPE))
                      .invokevirtual(CD_MethodHandle, "invokeExact", FACTORY_TYPE)
                      .areturn());
    }
  }

  private static int copy(byte[] from, int start, int end, ByteArrayOutputStream out) {
    out.write(from, start, end - start);
    return end;
  }

  private void writeCount(int offset, int count, String table) {
    if (count > MOST_ENTRIES) {
      throw new NoRoomException(table);
    }
    writeU2(offset, count);
  }

  private void writeU2(int offset, int value) {
    bytes[offset] = (byte) (value >> 8);
    bytes[offset + 1] = (byte) value;
  }
}
