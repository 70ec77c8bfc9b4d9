package dev.arenal.agent.rewrite;

import org.jspecify.annotations.Nullable;

/**
 * Where the parts of a class file are: as much of its structure as is needed to change a few bytes
 * of it and to leave all others as they are.
 *
 * <p>Reads with the bounds of the array only; a damaged file ends in an {@link
 * IndexOutOfBoundsException} or an {@link IllegalArgumentException}.
 */
final class ClassFileParts {
  static final int UTF8 = 1;
  static final int INTEGER = 3;
  static final int LONG = 5;
  static final int DOUBLE = 6;
  static final int CLASS = 7;
  static final int STRING = 8;
  static final int METHODREF = 10;
  static final int INTERFACE_METHODREF = 11;
  static final int NAME_AND_TYPE = 12;
  static final int METHOD_HANDLE = 15;
  static final int METHOD_TYPE = 16;
  static final int DYNAMIC = 17;
  static final int INVOKE_DYNAMIC = 18;

  static final int ACC_FINAL = 0x0010;
  static final int ACC_INTERFACE = 0x0200;

  private static final int MAGIC = 0xCAFEBABE;
  private static final int MAJOR_VERSION_AT = 6;
  private static final int CONSTANT_COUNT_AT = 8;
  private static final int CONSTANTS_AT = 10;

  /** Access flags, name and descriptor come before the attributes of a member. */
  private static final int MEMBER_HEADER_BYTES = 6;

  private static final int ATTRIBUTE_HEADER_BYTES = 6;

  /** Stack, locals and length come before the instructions of a method. */
  private static final int CODE_HEADER_BYTES = 8;

  private final byte[] bytes;
  private final int[] constantOffsets;
  private final int constantsEnd;
  private final int methodsAt;
  private final int methodsEnd;
  private final int bootstrapMethodsAt;
  private final int end;

  private ClassFileParts(byte[] bytes) {
    this.bytes = bytes;
    if (i4(0) != MAGIC) {
      throw new IllegalArgumentException("not a class file: magic=" + Integer.toHexString(i4(0)));
    }
    constantOffsets = new int[u2(CONSTANT_COUNT_AT)];
    constantsEnd = readConstants();
    // Flags, this class, super class, and the interfaces.
    int fieldsAt = constantsEnd + 8 + 2 * u2(constantsEnd + 6);
    methodsAt = membersEnd(fieldsAt);
    methodsEnd = membersEnd(methodsAt);
    int at = methodsEnd + 2;
    int found = -1;
    for (int i = u2(methodsEnd); i > 0; i--) {
      if (isUtf8(u2(at), "BootstrapMethods")) {
        found = at;
      }
      at += ATTRIBUTE_HEADER_BYTES + i4(at + 2);
    }
    bootstrapMethodsAt = found;
    end = at;
    if (end != bytes.length) {
      throw new IllegalArgumentException(
          "class file has another length than it says: bytes=" + bytes.length + ", says=" + end);
    }
  }

  static ClassFileParts of(byte[] bytes) {
    return new ClassFileParts(bytes);
  }

  private int readConstants() {
    int at = CONSTANTS_AT;
    for (int i = 1; i < constantOffsets.length; i++) {
      constantOffsets[i] = at;
      int tag = bytes[at];
      at +=
          switch (tag) {
            case UTF8 -> 3 + u2(at + 1);
            case CLASS, STRING, METHOD_TYPE, 19, 20 -> 3;
            case METHOD_HANDLE -> 4;
            case INTEGER, 4, 9, METHODREF, INTERFACE_METHODREF, NAME_AND_TYPE -> 5;
            case DYNAMIC, INVOKE_DYNAMIC -> 5;
            case LONG, DOUBLE -> 9;
            default -> throw new IllegalArgumentException("no such constant: tag=" + tag);
          };
      if (tag == LONG || tag == DOUBLE) {
        i++;
      }
    }
    return at;
  }

  private int membersEnd(int membersAt) {
    int at = membersAt + 2;
    for (int i = u2(membersAt); i > 0; i--) {
      at = attributesEnd(at + MEMBER_HEADER_BYTES);
    }
    return at;
  }

  private int attributesEnd(int attributesAt) {
    int at = attributesAt + 2;
    for (int i = u2(attributesAt); i > 0; i--) {
      at += attributeBytes(at);
    }
    return at;
  }

  private int attributeBytes(int attributeAt) {
    int length = i4(attributeAt + 2);
    if (length < 0) {
      throw new IllegalArgumentException("attribute of no possible length: bytes=" + length);
    }
    return ATTRIBUTE_HEADER_BYTES + length;
  }

  int u1(int offset) {
    return bytes[offset] & 0xFF;
  }

  int u2(int offset) {
    return (u1(offset) << 8) | u1(offset + 1);
  }

  int i4(int offset) {
    return (u2(offset) << 16) | u2(offset + 2);
  }

  int majorVersion() {
    return u2(MAJOR_VERSION_AT);
  }

  int constantCount() {
    return constantOffsets.length;
  }

  int countConstantsAt() {
    return CONSTANT_COUNT_AT;
  }

  /** Where further constants may be put. */
  int constantsEnd() {
    return constantsEnd;
  }

  int accessFlagsAt() {
    return constantsEnd;
  }

  boolean isInterface() {
    return (u2(constantsEnd) & ACC_INTERFACE) != 0;
  }

  /** The constant that names the class itself. */
  int thisClassConstant() {
    return u2(constantsEnd + 2);
  }

  int countMethodsAt() {
    return methodsAt;
  }

  /** Where further methods may be put; the number of the class's attributes is here. */
  int methodsEnd() {
    return methodsEnd;
  }

  /** The attribute with the bootstrap methods; negative if there is none. */
  int bootstrapMethodsAt() {
    return bootstrapMethodsAt;
  }

  /** Behind the last bootstrap method. */
  int bootstrapMethodsEnd() {
    return bootstrapMethodsAt + attributeBytes(bootstrapMethodsAt);
  }

  int bootstrapMethodCount() {
    return bootstrapMethodsAt < 0 ? 0 : u2(bootstrapMethodsAt + ATTRIBUTE_HEADER_BYTES);
  }

  /** The entry of a bootstrap method: its handle, the number of its arguments, and they. */
  int bootstrapMethodAt(int index) {
    if (index >= bootstrapMethodCount()) {
      throw new IllegalArgumentException("no such bootstrap method: index=" + index);
    }
    int at = bootstrapMethodsAt + ATTRIBUTE_HEADER_BYTES + 2;
    for (int i = 0; i < index; i++) {
      at += 4 + 2 * u2(at + 2);
    }
    return at;
  }

  int end() {
    return end;
  }

  int tag(int constant) {
    return constant > 0 && constant < constantOffsets.length && constantOffsets[constant] > 0
        ? bytes[constantOffsets[constant]]
        : 0;
  }

  /** The first two bytes behind the tag. */
  int first(int constant) {
    return u2(constantOffsets[constant] + 1);
  }

  /** The two bytes behind those. */
  int second(int constant) {
    return u2(constantOffsets[constant] + 3);
  }

  int integer(int constant) {
    return i4(constantOffsets[constant] + 1);
  }

  /** The kind of reference of a method handle, and the constant it refers to. */
  int handleKind(int constant) {
    return u1(constantOffsets[constant] + 1);
  }

  int handleReference(int constant) {
    return u2(constantOffsets[constant] + 2);
  }

  /** Whether the constant is that text, which has only ASCII letters. */
  boolean isUtf8(int constant, String ascii) {
    if (tag(constant) != UTF8 || first(constant) != ascii.length()) {
      return false;
    }
    int at = constantOffsets[constant] + 3;
    for (int i = 0; i < ascii.length(); i++) {
      if (u1(at + i) != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the constant is a method of that class with that name and, if given, descriptor. */
  boolean isMethod(int constant, String owner, String name, @Nullable String descriptor) {
    int tag = tag(constant);
    if (tag != METHODREF && tag != INTERFACE_METHODREF) {
      return false;
    }
    int type = first(constant);
    int signature = second(constant);
    return tag(type) == CLASS
        && isUtf8(first(type), owner)
        && tag(signature) == NAME_AND_TYPE
        && isUtf8(first(signature), name)
        && (descriptor == null || isUtf8(second(signature), descriptor));
  }

  /** Whether the class has a method of its own of that name, which has only ASCII letters. */
  boolean hasMethod(String name, String descriptor) {
    int at = methodsAt + 2;
    for (int i = u2(methodsAt); i > 0; i--) {
      if (isUtf8(u2(at + 2), name) && isUtf8(u2(at + 4), descriptor)) {
        return true;
      }
      at = attributesEnd(at + MEMBER_HEADER_BYTES);
    }
    return false;
  }

  /** Where the instructions of a method begin; negative if it is not there or has none. */
  int codeAt(byte[] name, byte[] descriptor) {
    int at = methodsAt + 2;
    for (int i = u2(methodsAt); i > 0; i--) {
      boolean isIt = isUtf8(u2(at + 2), name) && isUtf8(u2(at + 4), descriptor);
      int attributeAt = at + MEMBER_HEADER_BYTES + 2;
      for (int k = u2(at + MEMBER_HEADER_BYTES); k > 0; k--) {
        if (isIt && isUtf8(u2(attributeAt), "Code")) {
          return attributeAt + ATTRIBUTE_HEADER_BYTES + CODE_HEADER_BYTES;
        }
        attributeAt += attributeBytes(attributeAt);
      }
      at = attributeAt;
    }
    return -1;
  }

  /** How many bytes of instructions there are from that offset on. */
  int codeBytes(int codeAt) {
    return i4(codeAt - 4);
  }

  private boolean isUtf8(int constant, byte[] text) {
    if (tag(constant) != UTF8 || first(constant) != text.length) {
      return false;
    }
    int at = constantOffsets[constant] + 3;
    for (int i = 0; i < text.length; i++) {
      if (bytes[at + i] != text[i]) {
        return false;
      }
    }
    return true;
  }
}
