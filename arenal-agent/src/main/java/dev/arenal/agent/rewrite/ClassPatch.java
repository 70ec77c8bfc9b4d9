package dev.arenal.agent.rewrite;

import dev.arenal.agent.runtime.ConfinedArenas;
import dev.arenal.agent.sites.Site;
import dev.arenal.agent.sites.SiteShape;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A class file whose sites call other factories, and which is otherwise the same, byte for byte:
 * constants are added behind the others, and in the code only their numbers change. Nothing is
 * assembled anew, so there are no stack maps to compute and no class hierarchy to ask for.
 *
 * <p>A class that sees {@link ConfinedArenas} calls it directly. Any other calls a private method
 * that is added to it, the bridge.
 */
final class ClassPatch {
  static final int FIRST_VERSION_WITH_DYNAMIC_CONSTANTS = 55;

  private static final String ARENA = "java/lang/foreign/Arena";
  private static final String OF_CONFINED = "ofConfined";
  private static final String DESCRIPTOR = "()Ljava/lang/foreign/Arena;";
  private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";
  private static final String RUNTIME = ConfinedArenas.class.getName().replace('.', '/');

  private static final int INVOKESTATIC = 0xB8;
  private static final int INVOKEDYNAMIC = 0xBA;

  /** Where in the arguments of a metafactory the function is, and the flags of the longer one. */
  private static final int FUNCTION_ARGUMENT = 1;

  private static final int FLAGS_ARGUMENT = 3;
  private static final int FLAG_SERIALIZABLE = 1;

  private final byte[] bytes;
  private final ClassFileParts parts;
  private final boolean isBridged;
  private final AddedConstants constants;
  private final Map<Factory, Integer> targets = new EnumMap<>(Factory.class);

  /**
   * A class file as it is.
   *
   * @param isBridged whether the class does not see {@link ConfinedArenas}
   */
  ClassPatch(byte[] original, boolean isBridged) {
    this.bytes = original.clone();
    this.parts = ClassFileParts.of(original);
    this.isBridged = isBridged;
    this.constants = new AddedConstants(parts.constantCount());
  }

  int majorVersion() {
    return parts.majorVersion();
  }

  /** Makes the site call that factory; says why not if it cannot be. */
  @Nullable LeftAlone redirect(Site site, Factory factory) {
    int codeAt =
        parts.codeAt(
            site.method().getBytes(StandardCharsets.UTF_8),
            site.descriptor().getBytes(StandardCharsets.UTF_8));
    if (codeAt < 0 || site.bytecodeIndex() + 3 > parts.codeBytes(codeAt)) {
      return LeftAlone.MISMATCH;
    }
    int at = codeAt + site.bytecodeIndex();
    int constant = parts.u2(at + 1);
    if (site.shape() == SiteShape.METHOD_REFERENCE) {
      return parts.u1(at) == INVOKEDYNAMIC && parts.tag(constant) == ClassFileParts.INVOKE_DYNAMIC
          ? redirectReference(parts.bootstrapMethodAt(parts.first(constant)), factory)
          : LeftAlone.MISMATCH;
    }
    if (parts.u1(at) != INVOKESTATIC || !isOfConfined(constant)) {
      return LeftAlone.MISMATCH;
    }
    writeU2(at + 1, target(factory));
    return null;
  }

  /** All method references that share the bootstrap method are the same, so all change at once. */
  private @Nullable LeftAlone redirectReference(int bootstrapAt, Factory factory) {
    int bootstrap = parts.handleReference(parts.u2(bootstrapAt));
    int argumentCount = parts.u2(bootstrapAt + 2);
    boolean isPlain = parts.isMethod(bootstrap, METAFACTORY, "metafactory", null);
    boolean isLonger = parts.isMethod(bootstrap, METAFACTORY, "altMetafactory", null);
    if (!isPlain && !(isLonger && argumentCount > FLAGS_ARGUMENT)) {
      return LeftAlone.FOREIGN_REFERENCE;
    }
    int functionAt = argumentAt(bootstrapAt, FUNCTION_ARGUMENT);
    int function = parts.u2(functionAt);
    if (argumentCount <= FUNCTION_ARGUMENT
        || parts.tag(function) != ClassFileParts.METHOD_HANDLE
        || parts.handleKind(function) != AddedConstants.INVOKE_STATIC
        || !isOfConfined(parts.handleReference(function))) {
      return LeftAlone.FOREIGN_REFERENCE;
    }
    if (isLonger && (flags(bootstrapAt) & FLAG_SERIALIZABLE) != 0) {
      return LeftAlone.SERIALIZABLE;
    }
    writeU2(functionAt, constants.handle(AddedConstants.INVOKE_STATIC, target(factory)));
    return null;
  }

  private int flags(int bootstrapAt) {
    int constant = parts.u2(argumentAt(bootstrapAt, FLAGS_ARGUMENT));
    return parts.tag(constant) == ClassFileParts.INTEGER
        ? parts.integer(constant)
        : FLAG_SERIALIZABLE;
  }

  private static int argumentAt(int bootstrapAt, int index) {
    return bootstrapAt + 4 + 2 * index;
  }

  private boolean isOfConfined(int constant) {
    return parts.isMethod(constant, ARENA, OF_CONFINED, DESCRIPTOR);
  }

  private int target(Factory factory) {
    Integer known = targets.get(factory);
    if (known != null) {
      return known;
    }
    int target =
        isBridged
            ? constants.method(
                parts.isInterface() ? ClassFileParts.INTERFACE_METHODREF : ClassFileParts.METHODREF,
                parts.thisClassConstant(),
                factory.bridgeMethod(),
                DESCRIPTOR)
            : constants.method(RUNTIME, factory.method(), DESCRIPTOR);
    targets.put(factory, target);
    return target;
  }

  /**
   * The class file with its changes.
   *
   * @param bridges the factories a bridged class gets methods for, called or not: a class that is
   *     transformed again must have the same methods again; it may have them already, if a tool has
   *     made the new version out of the rewritten one
   */
  byte[] finish(Iterable<Factory> bridges) {
    Bridges added = new Bridges(constants, RUNTIME, DESCRIPTOR, parts.bootstrapMethodCount());
    if (isBridged) {
      for (Factory factory : bridges) {
        if (!parts.hasMethod(factory.bridgeMethod(), DESCRIPTOR)) {
          added.add(factory);
        }
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 1024);
    writeU2(parts.countConstantsAt(), constants.countAll());
    writeCounts(added);
    int at = copy(out, 0, parts.constantsEnd());
    out.writeBytes(constants.bytes());
    at = copy(out, at, parts.methodsEnd());
    out.writeBytes(added.methods());
    if (added.methodCount() > 0) {
      if (parts.bootstrapMethodsAt() >= 0) {
        at = copy(out, at, parts.bootstrapMethodsEnd());
        out.writeBytes(added.bootstrapMethods());
      } else {
        at = copy(out, at, parts.end());
        out.writeBytes(added.bootstrapAttribute());
      }
    }
    var _ = copy(out, at, bytes.length);
    return out.toByteArray();
  }

  private int copy(ByteArrayOutputStream out, int from, int to) {
    out.write(bytes, from, to - from);
    return to;
  }

  private void writeCounts(Bridges added) {
    if (added.methodCount() == 0) {
      return;
    }
    int methodsAt = parts.countMethodsAt();
    writeCount(methodsAt, parts.u2(methodsAt) + added.methodCount(), "methods");
    if (parts.bootstrapMethodsAt() < 0) {
      int attributesAt = parts.methodsEnd();
      writeCount(attributesAt, parts.u2(attributesAt) + 1, "attributes");
      return;
    }
    int attributeAt = parts.bootstrapMethodsAt();
    writeI4(attributeAt + 2, parts.i4(attributeAt + 2) + added.bootstrapMethods().length);
    int count = parts.bootstrapMethodCount() + added.bootstrapMethodCount();
    writeCount(attributeAt + 6, count, "bootstrap methods");
  }

  private void writeCount(int offset, int count, String table) {
    if (count > 0xFFFF) {
      throw new NoRoomException(table);
    }
    writeU2(offset, count);
  }

  private void writeU2(int offset, int value) {
    bytes[offset] = (byte) (value >> 8);
    bytes[offset + 1] = (byte) value;
  }

  private void writeI4(int offset, int value) {
    writeU2(offset, value >> 16);
    writeU2(offset + 2, value);
  }
}
