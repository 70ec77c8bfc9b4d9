package dev.arenal.agent.sites;

import java.lang.classfile.ClassFile;

/** The parts of a class file that are read before it is parsed. */
final class ClassBytes {
  private static final int MAGIC = 0xCAFEBABE;
  private static final int MAJOR_VERSION_AT = 6;

  /** Magic, version, and the count of constants. */
  private static final int MIN_SIZE_BYTES = 10;

  private static final byte TAG_UTF8 = 1;

  private ClassBytes() {}

  static void check(byte[] classFile) {
    if (classFile.length < MIN_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "not a class file: sizeBytes="
              + classFile.length
              + " (expected at least "
              + MIN_SIZE_BYTES
              + ")");
    }
    int magic = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      magic = (magic << Byte.SIZE) | Byte.toUnsignedInt(classFile[i]);
    }
    if (magic != MAGIC) {
      throw new IllegalArgumentException(
          "not a class file: firstBytes=0x%08x (expected 0x%08x)".formatted(magic, MAGIC));
    }
  }

  /**
   * The class file itself, or a copy that says it is of the newest version this JDK knows: the code
   * of a later one still has the same instructions.
   */
  static byte[] withKnownVersion(byte[] classFile) {
    int version =
        (Byte.toUnsignedInt(classFile[MAJOR_VERSION_AT]) << Byte.SIZE)
            | Byte.toUnsignedInt(classFile[MAJOR_VERSION_AT + 1]);
    int newest = ClassFile.latestMajorVersion();
    if (version <= newest) {
      return classFile;
    }
    byte[] copy = classFile.clone();
    copy[MAJOR_VERSION_AT] = (byte) (newest >>> Byte.SIZE);
    copy[MAJOR_VERSION_AT + 1] = (byte) newest;
    return copy;
  }

  /** The bytes of a name among the constants: its tag, its length, its letters. */
  static byte[] utf8Entry(String text) {
    byte[] entry = new byte[3 + text.length()];
    entry[0] = TAG_UTF8;
    entry[1] = (byte) (text.length() >>> Byte.SIZE);
    entry[2] = (byte) text.length();
    for (int i = 0; i < text.length(); i++) {
      entry[3 + i] = (byte) text.charAt(i);
    }
    return entry;
  }

  static boolean contains(byte[] bytes, byte[] part) {
    int last = bytes.length - part.length;
    for (int start = 0; start <= last; start++) {
      // The length is rarer than the tag, which most zero-filled or small numbers look like.
      if (bytes[start + 2] == part[2] && startsWith(bytes, start, part)) {
        return true;
      }
    }
    return false;
  }

  private static boolean startsWith(byte[] bytes, int start, byte[] part) {
    for (int i = 0; i < part.length; i++) {
      if (bytes[start + i] != part[i]) {
        return false;
      }
    }
    return true;
  }
}
