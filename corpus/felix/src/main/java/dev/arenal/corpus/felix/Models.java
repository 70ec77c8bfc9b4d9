package dev.arenal.corpus.felix;

import dev.arenal.corpus.common.Property;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** Writes the model classes of a bundle: fields, getters, setters, equals, hashCode, toString. */
final class Models {
  private static final int MOST_NAMED_FIELDS = 12;
  private static final String[] WORDS = {
    "name", "price", "amount", "owner", "place", "note", "weight", "open", "total", "created"
  };
  private static final List<ClassDesc> TYPES =
      List.of(
          ConstantDescs.CD_int,
          ConstantDescs.CD_String,
          ConstantDescs.CD_long,
          ConstantDescs.CD_String,
          ConstantDescs.CD_double,
          ConstantDescs.CD_boolean);

  /** A model class: its name and its fields, for the services, and its bytes. */
  record Model(ClassDesc type, List<Property> fields, byte[] bytes) {}

  private Models() {}

  static Model write(ClassDesc type, int fieldCount, RandomGenerator random) {
    List<Property> fields = new ArrayList<>();
    for (int i = 0; i < fieldCount; i++) {
      String word = WORDS[i % WORDS.length];
      String name = i < WORDS.length ? word : word + i / WORDS.length;
      fields.add(new Property(name, TYPES.get(random.nextInt(TYPES.size()))));
    }
    byte[] bytes =
        ClassFile.of()
            .build(
                type,
                builder -> {
                  builder.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER);
                  Property.writeConstructor(builder);
                  fields.forEach(field -> field.write(builder, type));
                  writeEquals(builder, type, fields);
                  writeHashCode(builder, type, fields);
                  writeToString(builder, type, fields);
                });
    return new Model(type, List.copyOf(fields), bytes);
  }

  private static void writeEquals(ClassBuilder builder, ClassDesc owner, List<Property> fields) {
    builder.withMethodBody(
        "equals",
        MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object),
        ClassFile.ACC_PUBLIC,
        code -> {
          Label different = code.newLabel();
          code.aload(1).instanceOf(owner).ifeq(different);
          code.aload(1).checkcast(owner).astore(2);
          for (Property field : fields) {
            get(code, 0, owner, field);
            get(code, 2, owner, field);
            compare(code, field.type(), different);
          }
          code.iconst_1().ireturn().labelBinding(different).iconst_0().ireturn();
        });
  }

  private static void compare(CodeBuilder code, ClassDesc type, Label different) {
    switch (TypeKind.from(type)) {
      case LONG -> code.lcmp().ifne(different);
      case DOUBLE -> code.dcmpl().ifne(different);
      case REFERENCE ->
          code.invokestatic(
                  Objects.class.describeConstable().orElseThrow(),
                  "equals",
                  MethodTypeDesc.of(
                      ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object))
              .ifeq(different);
      default -> code.if_icmpne(different);
    }
  }

  private static void writeHashCode(ClassBuilder builder, ClassDesc owner, List<Property> fields) {
    builder.withMethodBody(
        "hashCode",
        MethodTypeDesc.of(ConstantDescs.CD_int),
        ClassFile.ACC_PUBLIC,
        code -> {
          code.loadConstant(17);
          for (Property field : fields) {
            code.bipush(31).imul();
            hash(get(code, 0, owner, field), field.type());
            code.iadd();
          }
          code.ireturn();
        });
  }

  private static void hash(CodeBuilder code, ClassDesc type) {
    switch (TypeKind.from(type)) {
      case LONG -> code.invokestatic(ConstantDescs.CD_Long, "hashCode", toInt(type));
      case DOUBLE -> code.invokestatic(ConstantDescs.CD_Double, "hashCode", toInt(type));
      case REFERENCE ->
          code.invokestatic(
              Objects.class.describeConstable().orElseThrow(),
              "hashCode",
              toInt(ConstantDescs.CD_Object));
      default -> {
        // Already an int.
      }
    }
  }

  private static MethodTypeDesc toInt(ClassDesc type) {
    return MethodTypeDesc.of(ConstantDescs.CD_int, type);
  }

  /** As javac does it: an invokedynamic with a recipe. */
  private static void writeToString(ClassBuilder builder, ClassDesc owner, List<Property> fields) {
    List<Property> named = fields.subList(0, Math.min(fields.size(), MOST_NAMED_FIELDS));
    StringBuilder recipe = new StringBuilder(owner.displayName());
    named.forEach(field -> recipe.append(' ').append(field.name()).append("=\1"));
    ClassDesc[] types = named.stream().map(Property::type).toArray(ClassDesc[]::new);
    builder.withMethodBody(
        "toString",
        MethodTypeDesc.of(ConstantDescs.CD_String),
        ClassFile.ACC_PUBLIC,
        code -> {
          named.forEach(field -> get(code, 0, owner, field));
          code.invokedynamic(
                  DynamicCallSiteDesc.of(
                      ConstantDescs.ofCallsiteBootstrap(
                          ClassDesc.of("java.lang.invoke.StringConcatFactory"),
                          "makeConcatWithConstants",
                          ConstantDescs.CD_CallSite,
                          ConstantDescs.CD_String,
                          ConstantDescs.CD_Object.arrayType()),
                      "makeConcatWithConstants",
                      MethodTypeDesc.of(ConstantDescs.CD_String, types),
                      recipe.toString()))
              .areturn();
        });
  }

  private static CodeBuilder get(CodeBuilder code, int slot, ClassDesc owner, Property field) {
    return code.aload(slot).getfield(owner, field.name(), field.type());
  }
}
