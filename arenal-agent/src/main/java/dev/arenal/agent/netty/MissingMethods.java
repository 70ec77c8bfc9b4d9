package dev.arenal.agent.netty;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a Netty has all that our buffers call of it, and asks of them nothing that they do not
 * have. The JVM would say so as well, but in the middle of a connection.
 */
final class MissingMethods {
  private static final String BASE = "AbstractReferenceCountedByteBuf";

  private final Lookup lookup;
  private final String root;
  private final Map<String, ClassModel> copies = new HashMap<>();
  private final Class<?> base;

  private MissingMethods(Lookup lookup, String root, CopiedClasses classes)
      throws ReflectiveOperationException {
    this.lookup = lookup;
    this.root = root;
    classes.classFiles().forEach((name, file) -> copies.put(name, ClassFile.of().parse(file)));
    this.base = classOf(root + "buffer/" + BASE);
  }

  /** Names and descriptors, sorted; none if the copies fit. */
  static Set<String> of(Lookup lookup, String root, CopiedClasses classes)
      throws ReflectiveOperationException {
    return new MissingMethods(lookup, root, classes).find();
  }

  private Set<String> find() throws ReflectiveOperationException {
    Set<String> own = new HashSet<>();
    for (ClassModel copy : copies.values()) {
      for (MethodModel method : copy.methods()) {
        own.add(method.methodName().stringValue() + method.methodType().stringValue());
      }
    }
    Set<String> missing = new TreeSet<>();
    addAbstract(missing, own);
    for (ClassModel copy : copies.values()) {
      for (PoolEntry entry : copy.constantPool()) {
        if (entry instanceof MethodRefEntry method && isOfNetty(method)) {
          String name = method.name().stringValue() + method.type().stringValue();
          if (!own.contains(name) && !hasMethod(method, name)) {
            missing.add(name);
          }
        }
      }
    }
    return missing;
  }

  /** The abstract methods without an implementation. */
  private void addAbstract(Set<String> missing, Set<String> own) {
    Set<String> done = new HashSet<>(own);
    for (Class<?> type = base; type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        String name = signature(method);
        if (!Modifier.isAbstract(method.getModifiers())) {
          done.add(name);
        } else if (!done.contains(name)) {
          missing.add(name);
        }
      }
    }
  }

  private boolean isOfNetty(MemberRefEntry member) {
    return member.owner().asInternalName().startsWith(root);
  }

  /** A constructor of the base class counts, too. */
  private boolean hasMethod(MethodRefEntry method, String name)
      throws ReflectiveOperationException {
    String owner = method.owner().asInternalName();
    Class<?> type = copies.containsKey(owner) ? base : classOf(owner);
    if (name.startsWith("<init>")) {
      return Stream.of(type.getDeclaredConstructors())
          .map(each -> MethodType.methodType(void.class, each.getParameterTypes()))
          .anyMatch(each -> name.equals("<init>" + each.descriptorString()));
    }
    return hasMethod(type, name);
  }

  /** Its own, or one that it inherits, be it of an interface. */
  private static boolean hasMethod(@Nullable Class<?> type, String name) {
    return type != null
        && (Stream.of(type.getDeclaredMethods()).anyMatch(one -> signature(one).equals(name))
            || hasMethod(type.getSuperclass(), name)
            || Stream.of(type.getInterfaces()).anyMatch(each -> hasMethod(each, name)));
  }

  private Class<?> classOf(String internalName) throws ReflectiveOperationException {
    return lookup.findClass(internalName.replace('/', '.'));
  }

  private static String signature(Method method) {
    MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    return method.getName() + type.descriptorString();
  }
}
