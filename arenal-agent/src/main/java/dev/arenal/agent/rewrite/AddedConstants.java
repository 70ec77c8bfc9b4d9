package dev.arenal.agent.rewrite;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** Constants that go behind those a class file has; each is added once. */
final class AddedConstants {
  /** References of a method handle that are used here. */
  static final int INVOKE_VIRTUAL = 5;

  static final int INVOKE_STATIC = 6;

  /** The number of constants is written with two bytes, and counts one more than there are. */
  private static final int MAX_COUNT = 0xFFFF;

  private final int firstIndex;
  private final Map<String, Integer> indices = new HashMap<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private int count;

  AddedConstants(int existingCount) {
    this.firstIndex = existingCount;
  }

  /** How many constants the file then has, counted as the file does. */
  int countAll() {
    return firstIndex + count;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  int utf8(String text) {
    Integer known = indices.get("utf8 " + text);
    if (known != null) {
      return known;
    }
    int index = next("utf8 " + text);
    try {
      out.writeByte(ClassFileParts.UTF8);
      out.writeUTF(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return index;
  }

  int type(String internalName) {
    return entry(ClassFileParts.CLASS, utf8(internalName));
  }

  int string(String text) {
    return entry(ClassFileParts.STRING, utf8(text));
  }

  int methodType(String descriptor) {
    return entry(ClassFileParts.METHOD_TYPE, utf8(descriptor));
  }

  int method(String owner, String name, String descriptor) {
    return method(ClassFileParts.METHODREF, type(owner), name, descriptor);
  }

  /** A method of a class that has a constant already; the tag says whether it is an interface. */
  int method(int tag, int ownerConstant, String name, String descriptor) {
    return entry(tag, ownerConstant, nameAndType(name, descriptor));
  }

  int handle(int kind, int method) {
    String key = "handle " + kind + " " + method;
    Integer known = indices.get(key);
    if (known != null) {
      return known;
    }
    int index = next(key);
    try {
      out.writeByte(ClassFileParts.METHOD_HANDLE);
      out.writeByte(kind);
      out.writeShort(method);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return index;
  }

  /** A constant that a bootstrap method computes. */
  int dynamic(int bootstrapMethod, String name, String descriptor) {
    return entry(ClassFileParts.DYNAMIC, bootstrapMethod, nameAndType(name, descriptor));
  }

  private int nameAndType(String name, String descriptor) {
    int nameConstant = utf8(name);
    return entry(ClassFileParts.NAME_AND_TYPE, nameConstant, utf8(descriptor));
  }

  private int entry(int tag, int... parts) {
    StringBuilder key = new StringBuilder().append(tag);
    for (int part : parts) {
      key.append(' ').append(part);
    }
    Integer known = indices.get(key.toString());
    if (known != null) {
      return known;
    }
    int index = next(key.toString());
    try {
      out.writeByte(tag);
      for (int part : parts) {
        out.writeShort(part);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return index;
  }

  private int next(String key) {
    int index = firstIndex + count;
    if (index >= MAX_COUNT) {
      throw new NoRoomException("constants");
    }
    count++;
    indices.put(key, index);
    return index;
  }
}
