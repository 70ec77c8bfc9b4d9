package dev.arenal.agent.rewrite;

import java.lang.classfile.constantpool.ConstantPool;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;

/**
 * Where the parts of a class file are: as much of its structure as is needed to change a few bytes
 * of it and to leave all others as they are. What the parts say, the JDK's API reads.
 *
 * <p>Reads with the bounds of the array only; a damaged file ends in an {@link
 * IndexOutOfBoundsException} or an {@link IllegalArgumentException}.
 */
public final class ClassFileParts {
  /** Where the number of constants is: one more than there are. */
  static final int COUNT_CONSTANTS_AT = 8;

  /** Where the constants begin. */
  public static final int CONSTANTS_AT = 10;

  /** Access flags, name and descriptor come before the attributes of a member. */
  private static final int MEMBER_HEADER_BYTES = 6;

  /** The name of an attribute, and how long it is. */
  private static final int ATTRIBUTE_HEADER_BYTES = 6;

  /** Stack, locals and length come before the instructions of a method. */
  private static final int CODE_HEADER_BYTES = 8;

  private final byte[] bytes;
  private final ConstantPool constants;
  private final int constantsEnd;
  private final int methodsAt;
  private final int methodsEnd;
  private final int bootstrapMethodsAt;

  /**
   * Finds them.
   *
   * @param constants those of this file
   */
  ClassFileParts(byte[] bytes, ConstantPool constants) {
    this.bytes = bytes;
    this.constants = constants;
    int at = CONSTANTS_AT;
    for (PoolEntry _ : constants) {
      at += constantBytes(bytes, at);
    }
    constantsEnd = at;
    // Flags, this class, super class, and the interfaces.
    int fieldsAt = constantsEnd + 8 + 2 * u2(constantsEnd + 6);
    methodsAt = membersEnd(fieldsAt);
    methodsEnd = membersEnd(methodsAt);
    at = methodsEnd + 2;
    int found = -1;
    for (int i = u2(methodsEnd); i > 0; i--) {
      if (isText(u2(at), "BootstrapMethods")) {
        found = at;
      }
      at += attributeBytes(at);
    }
    bootstrapMethodsAt = found;
    if (at != bytes.length) {
      throw new IllegalArgumentException(
          "class file is not as long as it says: bytes=" + bytes.length + ", says=" + at);
    }
  }

  /** The length of the constant that begins there. */
  public static int constantBytes(byte[] bytes, int at) {
    return switch (bytes[at]) {
      case PoolEntry.TAG_UTF8 -> 3 + u2(bytes, at + 1);
      case PoolEntry.TAG_CLASS,
          PoolEntry.TAG_STRING,
          PoolEntry.TAG_METHOD_TYPE,
          PoolEntry.TAG_MODULE,
          PoolEntry.TAG_PACKAGE ->
          3;
      case PoolEntry.TAG_METHOD_HANDLE -> 4;
      case PoolEntry.TAG_LONG, PoolEntry.TAG_DOUBLE -> 9;
      default -> 5; // the API knows all kinds, or has refused the file
    };
  }

  private int membersEnd(int membersAt) {
    int at = membersAt + 2;
    for (int i = u2(membersAt); i > 0; i--) {
      int attributesAt = at + MEMBER_HEADER_BYTES;
      at = attributesAt + 2;
      for (int k = u2(attributesAt); k > 0; k--) {
        at += attributeBytes(at);
      }
    }
    return at;
  }

  private int attributeBytes(int attributeAt) {
    int length = i4(attributeAt + 2);
    if (length < 0) {
      throw new IllegalArgumentException("attribute has an impossible length: bytes=" + length);
    }
    return ATTRIBUTE_HEADER_BYTES + length;
  }

  int u1(int offset) {
    return bytes[offset] & 0xFF;
  }

  int u2(int offset) {
    return u2(bytes, offset);
  }

  private static int u2(byte[] bytes, int offset) {
    return (bytes[offset] & 0xFF) << Byte.SIZE | (bytes[offset + 1] & 0xFF);
  }

  int i4(int offset) {
    return (u2(offset) << 16) | u2(offset + 2);
  }

  /** Where further constants may be put. */
  int constantsEnd() {
    return constantsEnd;
  }

  /** Where the number of methods is; they follow. */
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

  /** The length of this attribute with its header; 0 if there is none. */
  int bootstrapMethodsBytes() {
    return bootstrapMethodsAt < 0 ? 0 : attributeBytes(bootstrapMethodsAt);
  }

  /** Where an argument of a bootstrap method is: behind its handle, and their number. */
  int bootstrapArgumentAt(int method, int argument) {
    int at = bootstrapMethodsAt + ATTRIBUTE_HEADER_BYTES + 2;
    for (int i = 0; i < method; i++) {
      at += 4 + 2 * u2(at + 2);
    }
    return at + 4 + 2 * argument;
  }

  /** Where the instructions of a method begin; negative if it is not there or has none. */
  int codeAt(String name, String descriptor) {
    int at = methodsAt + 2;
    for (int i = u2(methodsAt); i > 0; i--) {
      boolean isIt = isText(u2(at + 2), name) && isText(u2(at + 4), descriptor);
      int attributeAt = at + MEMBER_HEADER_BYTES + 2;
      for (int k = u2(at + MEMBER_HEADER_BYTES); k > 0; k--) {
        if (isIt && isText(u2(attributeAt), "Code")) {
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

  private boolean isText(int constant, String text) {
    return constants.entryByIndex(constant, Utf8Entry.class).equalsString(text);
  }
}
