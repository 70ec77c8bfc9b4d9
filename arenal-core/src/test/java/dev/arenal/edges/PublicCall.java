package dev.arenal.edges;

import dev.arenal.guard.ScopeEnd;
import dev.arenal.guard.StackReserve;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.MBeanRegistration;
import org.jspecify.annotations.Nullable;

/**
 * A public method of an exported type, and which of the subjects it is called on.
 *
 * @param kind of the subject; null for a static method
 */
record PublicCall(@Nullable SubjectKind kind, Method method) {
  /** As ModuleShapeTest has them. */
  private static final List<String> EXPORTED =
      List.of(
          "dev.arenal",
          "dev.arenal.memory",
          "dev.arenal.elastic",
          "dev.arenal.page",
          "dev.arenal.pretouch",
          "dev.arenal.confined",
          "dev.arenal.stats");

  /** Public for the layers above or for the JVM; no program can make or call them to any effect. */
  private static final Set<String> NOT_FOR_PROGRAMS =
      Set.of(
          "dev.arenal.pretouch.PretouchProgress", // programs implement it
          "dev.arenal.memory.Budget$Reclaimer"); // and this one

  /** All there are; an error where one of them has no subject or no arguments. */
  static List<PublicCall> all() {
    List<PublicCall> calls = new ArrayList<>();
    Set<Class<?>> types = publicTypes();
    for (Class<?> type : types) {
      staticMethods(type).forEach(method -> calls.add(new PublicCall(null, method)));
    }
    try (Subjects subjects = new Subjects()) {
      for (SubjectKind kind : SubjectKind.values()) {
        Class<?> found = kind.of(subjects).getClass();
        methods(found).forEach(method -> calls.add(new PublicCall(kind, method)));
        types.removeIf(type -> type.isAssignableFrom(found) && hasSubjects(type));
      }
      types.removeIf(type -> !hasSubjects(type));
      if (!types.isEmpty()) {
        throw new AssertionError("exported types without a subject: " + types);
      }
      for (PublicCall call : calls) {
        call.argumentsFrom(subjects);
      }
    }
    return calls;
  }

  /** The constants of an enum and what has static methods only: no subject is needed. */
  private static boolean hasSubjects(Class<?> type) {
    return !type.isEnum() && Stream.of(type.getDeclaredMethods()).anyMatch(PublicCall::isOfObject);
  }

  private static boolean isOfObject(Method method) {
    int modifiers = method.getModifiers();
    return Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers);
  }

  private static Stream<Method> staticMethods(Class<?> type) {
    return sorted(
        Stream.of(type.isEnum() ? new Method[0] : type.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .filter(method -> Modifier.isStatic(method.getModifiers())));
  }

  /** Of the library's: inherited ones as well, but not what the JDK does. */
  private static Stream<Method> methods(Class<?> type) {
    return sorted(
        Stream.of(type.getMethods())
            .filter(PublicCall::isOfObject)
            .filter(method -> !method.isBridge() && !isComponent(method))
            .filter(method -> !isForTheServer(method) && !isForTheEnd(method))
            .filter(method -> method.getDeclaringClass().getName().startsWith("dev.arenal.")));
  }

  /** Calls that close come last. */
  private static Stream<Method> sorted(Stream<Method> methods) {
    return methods.sorted(
        Comparator.comparing((Method method) -> method.getName().equals("close"))
            .thenComparing(Method::toString));
  }

  /** Called only by the MBean server, while a bean is registered. */
  private static boolean isForTheServer(Method method) {
    return MBeanRegistration.class.isAssignableFrom(method.getDeclaringClass())
        && Stream.of(MBeanRegistration.class.getMethods())
            .anyMatch(each -> each.getName().equals(method.getName()));
  }

  /** Public in a type of a package that is not exported: the arena inside is not for programs. */
  private static boolean isForTheEnd(Method method) {
    return ScopeEnd.Owner.class.isAssignableFrom(method.getDeclaringClass())
        && Stream.of(ScopeEnd.Owner.class.getMethods())
            .anyMatch(each -> each.getName().equals(method.getName()));
  }

  /** A generated method of a record, which reads its fields. */
  private static boolean isComponent(Method method) {
    Class<?> type = method.getDeclaringClass();
    if (!type.isRecord()) {
      return false;
    }
    Stream<String> components = Stream.of(type.getRecordComponents()).map(RecordComponent::getName);
    return (method.getParameterCount() == 0 && components.anyMatch(method.getName()::equals))
        || method.getName().equals("hashCode")
        || method.getName().equals("equals");
  }

  private static Set<Class<?>> publicTypes() {
    Set<Class<?>> types = new java.util.LinkedHashSet<>();
    for (String name : EXPORTED) {
      String[] files = Objects.requireNonNull(new File(library(), name.replace('.', '/')).list());
      Arrays.sort(files);
      for (String file : files) {
        String type = name + "." + file.replace(".class", "");
        if (file.endsWith(".class") && !file.startsWith("package-")) {
          Class<?> found = load(type);
          if (isPublic(found) && !NOT_FOR_PROGRAMS.contains(type)) {
            types.add(found);
          }
        }
      }
    }
    return types;
  }

  private static boolean isPublic(Class<?> type) {
    if (!Modifier.isPublic(type.getModifiers()) || type.isAnonymousClass()) {
      return false;
    }
    Class<?> outer = type.getEnclosingClass();
    return outer == null || isPublic(outer);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicCall.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new LinkageError(name, e);
    }
  }

  private static File library() {
    try {
      return new File(
          StackReserve.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new LinkageError("where the library is", e);
    }
  }

  /** By type; of one set of subjects. */
  Object[] argumentsFrom(Subjects subjects) {
    method.setAccessible(true); // the class of an arena is not public
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = subjects.argument(kind, types[i]);
    }
    return arguments;
  }

  @Nullable Object subjectFrom(Subjects subjects) {
    return kind == null ? null : kind.of(subjects);
  }

  /** Calls the method and returns its result or exception. */
  static @Nullable Object invoke(Method method, @Nullable Object subject, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(subject, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public String toString() {
    return (kind == null ? "" : kind + " ") + method;
  }
}
