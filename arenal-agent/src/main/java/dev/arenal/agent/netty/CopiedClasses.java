package dev.arenal.agent.netty;

import dev.arenal.agent.rewrite.ClassFileParts;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Our class of buffers as a class of some copy of Netty: the class files of {@code arenal-netty},
 * with that Netty's names in them, defined where its allocators are.
 *
 * <p>Only texts of the constant pool change, and all that name a class are replaced in the same
 * way. Nothing is verified here: the JVM verifies the defined classes.
 */
final class CopiedClasses {
  /** In the order in which they need each other. */
  private static final List<String> NAMES =
      List.of("LinkedPages", "Memory", "AbstractPageByteBuf", "LinkedByteBuf");

  private static final String NETTY = String.join("/", "io", "netty", "");
  private static final String ORIGINALS = originals();
  private static final String PREFIX = "Arenal";

  /** By their names with slashes, the one that others build on first. */
  private final Map<String, byte[]> classFiles = new LinkedHashMap<>();

  private CopiedClasses() {}

  private static String originals() {
    String name = CopiedClasses.class.getName().replace('.', '/');
    for (int i = 0; i < 3; i++) {
      name = name.substring(0, name.lastIndexOf('/'));
    }
    return name + "/netty/";
  }

  /**
   * Copies for one Netty, which are not defined yet.
   *
   * @param root where it is: {@code io/netty/}, or another package that ends so
   */
  static CopiedClasses of(String root) {
    CopiedClasses copies = new CopiedClasses();
    for (String name : NAMES) {
      copies.classFiles.put(copyOf(root, name), copy(name, root));
    }
    return copies;
  }

  private static String copyOf(String root, String name) {
    return root + "buffer/" + PREFIX + name;
  }

  private static byte[] copy(String name, String root) {
    try (InputStream in =
        CopiedClasses.class.getResourceAsStream("/" + ORIGINALS + name + ".class")) {
      if (in == null) {
        throw new IllegalStateException("class is not in the agent's jar: class=" + name);
      }
      return renamed(in.readAllBytes(), root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] renamed(byte[] classFile, String root) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * classFile.length);
    DataOutputStream out = new DataOutputStream(bytes);
    int at = ClassFileParts.CONSTANTS_AT;
    out.write(classFile, 0, at);
    for (PoolEntry constant : ClassFile.of().parse(classFile).constantPool()) {
      int length = ClassFileParts.constantBytes(classFile, at);
      if (constant instanceof Utf8Entry text) {
        out.writeByte(PoolEntry.TAG_UTF8);
        out.writeUTF(renamed(text.stringValue(), root));
      } else {
        out.write(classFile, at, length);
      }
      at += length;
    }
    out.write(classFile, at, classFile.length - at);
    return bytes.toByteArray();
  }

  private static String renamed(String text, String root) {
    if (text.contains(NETTY)) {
      return text.replace(NETTY, root);
    }
    if (!text.contains(ORIGINALS)) {
      return text;
    }
    // The one that a copy does not have: how it gets all memory is the agent's affair.
    String result = text.replace(ORIGINALS + "Everything", copyOf(root, "LinkedPages"));
    for (String name : NAMES) {
      result = result.replace(ORIGINALS + name, copyOf(root, name));
    }
    return result;
  }

  /** The class files by their names, with slashes. */
  Map<String, byte[]> classFiles() {
    return classFiles;
  }

  /**
   * Defines them beside a class of Netty, or finds them there. All are initialized: where that
   * fails, it fails here, and not at a buffer.
   *
   * @return the class of buffers
   */
  Class<?> defineBy(Lookup lookup) throws ReflectiveOperationException {
    List<Class<?>> defined = new ArrayList<>();
    for (Map.Entry<String, byte[]> copy : classFiles.entrySet()) {
      defined.add(defineBy(lookup, copy.getKey(), copy.getValue()));
    }
    for (Class<?> type : defined) {
      var _ = lookup.ensureInitialized(type);
    }
    return defined.getLast();
  }

  /** Without a lock, which a class loader of the program might wait for: the second one finds. */
  private static Class<?> defineBy(Lookup lookup, String name, byte[] classFile)
      throws IllegalAccessException {
    try {
      return lookup.defineClass(classFile);
    } catch (LinkageError e) {
      try {
        return lookup.findClass(name.replace('/', '.'));
      } catch (ClassNotFoundException _) {
        throw e;
      }
    }
  }
}
