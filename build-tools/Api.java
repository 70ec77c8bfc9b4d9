import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.lang.classfile.TypeAnnotation;
import java.lang.classfile.attribute.ExceptionsAttribute;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ModuleDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Compares the API of a module with the file that has it: what is public or protected in exported
 * packages, as text, a line for each type and member. {@code check} names each line that differs,
 * {@code accept} rewrites the file.
 *
 * <p>Reads class files and loads none, so that nothing that the module needs has to be there.
 */
final class Api {
  private static final int VISIBLE = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED;
  private static final int BRIDGE_OR_SYNTHETIC = ClassFile.ACC_BRIDGE | ClassFile.ACC_SYNTHETIC;

  /** All classes of the module, by their internal names. */
  private final Map<String, ClassModel> classes = new TreeMap<>();

  private final Set<String> exported = new LinkedHashSet<>();

  public static void main(String[] args) throws IOException {
    if (args.length != 3 || !List.of("check", "accept").contains(args[0])) {
      System.err.println("usage: java Api.java check|accept FOLDER_OF_CLASSES FILE");
      System.exit(2);
    }
    Path file = Path.of(args[2]);
    List<String> lines = lines(Path.of(args[1]));
    if (args[0].equals("accept")) {
      Files.write(file, lines);
      return;
    }
    String complaint = compare(Files.exists(file) ? Files.readAllLines(file) : List.of(), lines);
    if (!complaint.isEmpty()) {
      System.err.println(file + ":\n" + complaint);
      System.exit(1);
    }
  }

  /** The API of a module as it is in its file. */
  static List<String> lines(Path folder) throws IOException {
    Api api = new Api();
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".class")).toList()) {
        ClassModel model = ClassFile.of().parse(file);
        Optional<ModuleAttribute> module = model.findAttribute(Attributes.module());
        if (module.isPresent()) {
          lines.addAll(api.module(module.orElseThrow()));
        } else {
          api.classes.put(model.thisClass().asInternalName(), model);
        }
      }
    }
    for (ClassModel model : api.classes.values()) {
      if (api.isVisible(model.thisClass())) {
        lines.add("");
        lines.add(api.type(model));
        api.members(model).forEach(member -> lines.add("  " + member));
      }
    }
    return lines;
  }

  /** Empty, or which lines were removed and added, each with the type that it belongs to. */
  static String compare(List<String> before, List<String> now) {
    List<String> removed = whole(before);
    List<String> added = whole(now);
    removed.removeAll(whole(now));
    added.removeAll(whole(before));
    if (removed.isEmpty() && added.isEmpty()) {
      return "";
    }
    String changes =
        Stream.concat(removed.stream().map("- "::concat), added.stream().map("+ "::concat))
            .collect(joining("\n"));
    return "the API has changed: removedLines="
        + removed.size()
        + ", addedLines="
        + added.size()
        + " (expected none; where this is intended: mvn -q -Papi process-classes, and a line in"
        + " CHANGELOG.md, marked breaking where a line was removed)\n"
        + changes;
  }

  /** Each line with what it belongs to before it. */
  private static List<String> whole(List<String> lines) {
    List<String> whole = new ArrayList<>();
    String type = "";
    for (String line : lines) {
      if (line.startsWith("  ")) {
        whole.add(type + ": " + line.strip());
      } else if (!line.isEmpty()) {
        whole.add(line);
        type = nameIn(line);
      }
    }
    return whole;
  }

  /** The name in the line of a type: the word after its kind. */
  private static String nameIn(String line) {
    List<String> words = List.of(line.split("[ (<]"));
    for (String kind : List.of("class", "interface", "@interface", "enum", "record")) {
      int at = words.indexOf(kind);
      if (at >= 0) {
        return words.get(at + 1);
      }
    }
    return line;
  }

  // ---- modules and types ----

  private List<String> module(ModuleAttribute module) {
    List<String> lines = new ArrayList<>();
    lines.add("module " + module.moduleName().name().stringValue());
    module.requires().stream()
        .filter(required -> required.has(AccessFlag.TRANSITIVE))
        .map(required -> required.requires().asSymbol())
        .map(ModuleDesc::name)
        .sorted()
        .forEach(name -> lines.add("  requires transitive " + name));
    module.exports().stream()
        .filter(export -> export.exportsTo().isEmpty())
        .map(export -> export.exportedPackage().name().stringValue())
        .sorted()
        .forEach(name -> {
          exported.add(name);
          lines.add("  exports " + name.replace('/', '.'));
        });
    return lines;
  }

  /** Whether a program can name it: not where it, or what it is nested in, is hidden. */
  private boolean isVisible(ClassEntry entry) {
    ClassModel model = classes.get(entry.asInternalName());
    if (model == null) {
      return true; // of another module
    }
    String name = entry.asInternalName();
    if (!exported.contains(name.substring(0, Math.max(0, name.lastIndexOf('/'))))) {
      return false;
    }
    Optional<InnerClassInfo> nested = nested(model);
    if (nested.isEmpty()) {
      return model.flags().has(AccessFlag.PUBLIC);
    }
    return (nested.get().flagsMask() & VISIBLE) != 0
        && nested.get().outerClass().isPresent()
        && isVisible(nested.get().outerClass().orElseThrow());
  }

  private static Optional<InnerClassInfo> nested(ClassModel model) {
    return model.findAttribute(Attributes.innerClasses()).stream()
        .flatMap(inner -> inner.classes().stream())
        .filter(info -> info.innerClass().equals(model.thisClass()))
        .findAny();
  }

  private String type(ClassModel model) {
    int flags = nested(model).map(InnerClassInfo::flagsMask).orElse(model.flags().flagsMask());
    ClassSignature signature =
        model
            .findAttribute(Attributes.signature())
            .map(attribute -> attribute.asClassSignature())
            .orElse(null);
    StringBuilder line = new StringBuilder(annotations(model));
    line.append((flags & ClassFile.ACC_PROTECTED) != 0 ? "protected " : "public ");
    boolean isInterface = (flags & ClassFile.ACC_INTERFACE) != 0;
    Optional<List<RecordComponentInfo>> components =
        model.findAttribute(Attributes.record()).map(record -> record.components());
    boolean isEnum = (flags & ClassFile.ACC_ENUM) != 0;
    boolean isImplied = isInterface || isEnum || components.isPresent();
    line.append(
        nested(model).isPresent() && !isImplied && (flags & ClassFile.ACC_STATIC) != 0
            ? "static "
            : "");
    line.append(!isImplied && (flags & ClassFile.ACC_ABSTRACT) != 0 ? "abstract " : "");
    line.append(!isImplied && (flags & ClassFile.ACC_FINAL) != 0 ? "final " : "");
    line.append(model.findAttribute(Attributes.permittedSubclasses()).isPresent() ? "sealed " : "");
    line.append((flags & ClassFile.ACC_ANNOTATION) != 0 ? "@" : "");
    line.append(
        isInterface
            ? "interface "
            : isEnum ? "enum " : components.isPresent() ? "record " : "class ");
    line.append(name(model.thisClass()));
    line.append(signature == null ? "" : parameters(signature.typeParameters()));
    components.ifPresent(
        all -> line.append(all.stream().map(Api::component).collect(joining(", ", "(", ")"))));
    line.append(supertypes(model, isInterface));
    return line.toString();
  }

  private static String component(RecordComponentInfo component) {
    Signature type =
        component
            .findAttribute(Attributes.signature())
            .map(attribute -> attribute.asTypeSignature())
            .orElseGet(() -> Signature.of(component.descriptorSymbol()));
    return nullable(component, TypeAnnotation.TargetType.FIELD, -1)
        + text(type)
        + " "
        + component.name();
  }

  private String supertypes(ClassModel model, boolean isInterface) {
    Set<String> superclasses = new LinkedHashSet<>();
    Set<String> interfaces = new LinkedHashSet<>();
    addSupertypes(model, superclasses, interfaces);
    superclasses.removeAll(List.of("Object", "Record"));
    superclasses.removeIf(name -> name.startsWith("Enum<"));
    String permitted =
        model
            .findAttribute(Attributes.permittedSubclasses())
            .map(all ->
                all.permittedSubclasses().stream()
                    .filter(this::isVisible)
                    .map(Api::name)
                    .sorted()
                    .collect(joining(", ")))
            .orElse("");
    return (superclasses.isEmpty() ? "" : " extends " + String.join(", ", superclasses))
        + (interfaces.isEmpty()
            ? ""
            : (isInterface ? " extends " : " implements ")
                + interfaces.stream().sorted().collect(joining(", ")))
        + (permitted.isEmpty() ? "" : " permits " + permitted);
  }

  /** Those of a hidden supertype in its place. */
  private void addSupertypes(ClassModel model, Set<String> superclasses, Set<String> interfaces) {
    Optional<ClassSignature> signature =
        model.findAttribute(Attributes.signature()).map(attribute -> attribute.asClassSignature());
    model
        .superclass()
        .ifPresent(entry -> {
          if (isVisible(entry)) {
            superclasses.add(
                signature.map(generic -> text(generic.superclassSignature())).orElse(name(entry)));
          } else {
            addSupertypes(classes.get(entry.asInternalName()), superclasses, interfaces);
          }
        });
    for (int i = 0; i < model.interfaces().size(); i++) {
      ClassEntry entry = model.interfaces().get(i);
      if (isVisible(entry)) {
        int index = i;
        interfaces.add(
            signature
                .map(generic -> text(generic.superinterfaceSignatures().get(index)))
                .orElse(name(entry)));
      } else {
        addSupertypes(classes.get(entry.asInternalName()), new LinkedHashSet<>(), interfaces);
      }
    }
  }

  // ---- members ----

  /** Constants of an enum in their order, then fields, then constructors, then methods. */
  private List<String> members(ClassModel model) {
    Map<String, String> byKey = new LinkedHashMap<>();
    addMembers(model, model, byKey);
    List<String> lines = new ArrayList<>(byKey.values());
    List<String> constants =
        model.fields().stream()
            .filter(field -> field.flags().has(AccessFlag.ENUM))
            .map(field -> "constant " + field.fieldName())
            .toList();
    lines.sort(comparing((String line) -> line.contains("(") ? 1 : 0).thenComparing(Api::sortKey));
    return Stream.concat(constants.stream(), lines.stream()).toList();
  }

  /** The name of a member first, so that overloads stand together. */
  private static String sortKey(String line) {
    String head = line.split("[(=]", 2)[0].strip();
    return head.substring(head.lastIndexOf(' ') + 1) + " " + line;
  }

  /** Own members, and those of hidden supertypes, which a program may use through this type. */
  private void addMembers(ClassModel of, ClassModel model, Map<String, String> byKey) {
    for (FieldModel field : model.fields()) {
      if (isApi(field.flags()) && !field.flags().has(AccessFlag.ENUM)) {
        byKey.putIfAbsent(field.fieldName().stringValue(), field(field));
      }
    }
    for (MethodModel method : model.methods()) {
      boolean isConstructor = method.methodName().equalsString("<init>");
      if (isApi(method.flags()) && (!isConstructor || of == model)) {
        byKey.putIfAbsent(
            method.methodName().stringValue() + method.methodType().stringValue(),
            method(model, method));
      }
    }
    Stream.concat(model.superclass().stream(), model.interfaces().stream())
        .filter(entry -> !isVisible(entry))
        .forEach(entry -> addMembers(of, classes.get(entry.asInternalName()), byKey));
  }

  private static boolean isApi(AccessFlags flags) {
    return (flags.flagsMask() & VISIBLE) != 0 && (flags.flagsMask() & BRIDGE_OR_SYNTHETIC) == 0;
  }

  private static String field(FieldModel field) {
    Signature type =
        field
            .findAttribute(Attributes.signature())
            .map(attribute -> attribute.asTypeSignature())
            .orElseGet(() -> Signature.of(field.fieldTypeSymbol()));
    String value =
        field
            .findAttribute(Attributes.constantValue())
            .map(constant -> " = " + literal(constant.constant().constantValue()))
            .orElse("");
    return annotations(field)
        + modifiers(field.flags(), Set.of(AccessFlag.VOLATILE, AccessFlag.TRANSIENT))
        + nullable(field, TypeAnnotation.TargetType.FIELD, -1)
        + text(type)
        + " "
        + field.fieldName()
        + value;
  }

  private static String literal(ConstantDesc value) {
    return value instanceof String ? "\"" + value + "\"" : value.toString();
  }

  private static String method(ClassModel owner, MethodModel method) {
    MethodSignature signature =
        method
            .findAttribute(Attributes.signature())
            .map(attribute -> attribute.asMethodSignature())
            .orElseGet(() -> MethodSignature.of(method.methodTypeSymbol()));
    boolean isDefault =
        owner.flags().has(AccessFlag.INTERFACE)
            && !method.flags().has(AccessFlag.ABSTRACT)
            && !method.flags().has(AccessFlag.STATIC);
    String parameters = parameters(signature.typeParameters());
    boolean isConstructor = method.methodName().equalsString("<init>");
    List<String> arguments = new ArrayList<>();
    for (int i = 0; i < signature.arguments().size(); i++) {
      String type = text(signature.arguments().get(i));
      boolean isLast = i == signature.arguments().size() - 1;
      arguments.add(
          nullable(method, TypeAnnotation.TargetType.METHOD_FORMAL_PARAMETER, i)
              + (isLast && method.flags().has(AccessFlag.VARARGS)
                  ? type.substring(0, type.length() - 2) + "..."
                  : type));
    }
    return annotations(method)
        + modifiers(
            method.flags(),
            Set.of(
                AccessFlag.SYNCHRONIZED, AccessFlag.NATIVE, AccessFlag.STRICT, AccessFlag.VARARGS))
        + (isDefault ? "default " : "")
        + (parameters.isEmpty() ? "" : parameters + " ")
        + (isConstructor
            ? name(owner.thisClass()).substring(name(owner.thisClass()).lastIndexOf('.') + 1)
            : nullable(method, TypeAnnotation.TargetType.METHOD_RETURN, -1)
                + text(signature.result())
                + " "
                + method.methodName())
        + "("
        + String.join(", ", arguments)
        + ")"
        + exceptions(method, signature);
  }

  private static String exceptions(MethodModel method, MethodSignature signature) {
    List<String> names =
        signature.throwableSignatures().isEmpty()
            ? method.findAttribute(Attributes.exceptions()).stream()
                .map(ExceptionsAttribute::exceptions)
                .flatMap(List::stream)
                .map(Api::name)
                .toList()
            : signature.throwableSignatures().stream().map(Api::text).toList();
    return names.isEmpty() ? "" : names.stream().sorted().collect(joining(", ", " throws ", ""));
  }

  /** Without those that are no part of an API. */
  private static String modifiers(AccessFlags flags, Set<AccessFlag> others) {
    return flags.flags().stream()
        .filter(flag -> !others.contains(flag))
        .map(flag -> flag.name().toLowerCase(java.util.Locale.ROOT) + " ")
        .collect(joining());
  }

  // ---- annotations ----

  private static String annotations(AttributedElement element) {
    return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
            .flatMap(all -> all.annotations().stream())
            .map(Annotation::classSymbol)
            .anyMatch(type -> type.displayName().equals("Deprecated"))
        ? "@Deprecated "
        : "";
  }

  /** Of a type as a whole; those of its arguments are not looked at. */
  private static String nullable(
      AttributedElement element, TypeAnnotation.TargetType target, int parameter) {
    return element.findAttribute(Attributes.runtimeVisibleTypeAnnotations()).stream()
            .flatMap(all -> all.annotations().stream())
            .filter(type -> type.targetInfo().targetType() == target && type.targetPath().isEmpty())
            .filter(type ->
                !(type.targetInfo() instanceof TypeAnnotation.FormalParameterTarget formal)
                    || formal.formalParameterIndex() == parameter)
            .anyMatch(type -> type.annotation().classSymbol().displayName().equals("Nullable"))
        ? "@Nullable "
        : "";
  }

  // ---- types as text ----

  private static String name(ClassEntry entry) {
    return name(entry.asInternalName());
  }

  private static String name(String internalName) {
    String name = internalName.replace('/', '.').replace('$', '.');
    boolean isInLang = name.startsWith("java.lang.") && name.lastIndexOf('.') == 9;
    return isInLang ? name.substring(10) : name;
  }

  private static String parameters(List<Signature.TypeParam> parameters) {
    return parameters.isEmpty()
        ? ""
        : parameters.stream().map(Api::parameter).collect(joining(", ", "<", ">"));
  }

  private static String parameter(Signature.TypeParam parameter) {
    String bounds =
        Stream.concat(parameter.classBound().stream(), parameter.interfaceBounds().stream())
            .map(Api::text)
            .filter(bound -> !bound.equals("Object"))
            .collect(joining(" & "));
    return parameter.identifier() + (bounds.isEmpty() ? "" : " extends " + bounds);
  }

  private static String text(Signature signature) {
    return switch (signature) {
      case Signature.BaseTypeSig base ->
          base.signatureString().equals("V") ? "void" : primitive(base);
      case Signature.ArrayTypeSig array -> text(array.componentSignature()) + "[]";
      case Signature.TypeVarSig variable -> variable.identifier();
      case Signature.ClassTypeSig type ->
          type.outerType()
                  .map(outer -> text(outer) + "." + type.className())
                  .orElse(name(type.className()))
              + (type.typeArgs().isEmpty()
                  ? ""
                  : type.typeArgs().stream().map(Api::argument).collect(joining(", ", "<", ">")));
    };
  }

  private static String primitive(Signature.BaseTypeSig base) {
    return java.lang.constant.ClassDesc.ofDescriptor(base.signatureString()).displayName();
  }

  private static String argument(Signature.TypeArg argument) {
    return switch (argument) {
      case Signature.TypeArg.Unbounded _ -> "?";
      case Signature.TypeArg.Bounded bounded ->
          switch (bounded.wildcardIndicator()) {
                case NONE -> "";
                case EXTENDS -> "? extends ";
                case SUPER -> "? super ";
              }
              + text(bounded.boundType());
    };
  }
}
