package dev.arenal.corpus.felix;

import dev.arenal.corpus.common.Property;
import dev.arenal.corpus.felix.Models.Model;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.random.RandomGenerator;

/** Writes the services of a bundle: methods of different lengths that work on its models. */
final class Services {
  private static final ClassDesc OPERATOR = ClassDesc.of("java.util.function.IntUnaryOperator");
  private static final MethodTypeDesc INT_TO_INT =
      MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
  private static final MethodTypeDesc TO_STRING = MethodTypeDesc.of(ConstantDescs.CD_String);
  private static final int SHORTEST_STEP = 3;
  private static final int LONGEST_STEP = 40;
  private static final int VALUE = 1; // the slots of a step
  private static final int MODEL = 2;
  private static final int COUNT = 3;

  private Services() {}

  /** A service with a method per model, called one after the other with what the last returned. */
  static byte[] write(ClassDesc type, List<Model> models, RandomGenerator random) {
    return ClassFile.of()
        .build(
            type,
            builder -> {
              builder.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
              builder.withInterfaceSymbols(OPERATOR);
              Property.writeConstructor(builder);
              for (int i = 0; i < models.size(); i++) {
                step(builder, i, models.get(i), random);
              }
              entry(builder, type, models.size());
            });
  }

  private static void entry(ClassBuilder builder, ClassDesc type, int steps) {
    builder.withMethodBody(
        "applyAsInt",
        INT_TO_INT,
        ClassFile.ACC_PUBLIC,
        code -> {
          for (int i = 0; i < steps; i++) {
            code.aload(0).iload(VALUE).invokevirtual(type, "step" + i, INT_TO_INT).istore(VALUE);
          }
          code.iload(VALUE).ireturn();
        });
  }

  private static void step(ClassBuilder builder, int number, Model model, RandomGenerator random) {
    int length = random.nextInt(SHORTEST_STEP, LONGEST_STEP);
    builder.withMethodBody(
        "step" + number,
        INT_TO_INT,
        0,
        code -> {
          code.new_(model.type())
              .dup()
              .invokespecial(model.type(), ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
              .astore(MODEL);
          code.iconst_0().istore(COUNT);
          for (int i = 0; i < length; i++) {
            statement(code, model, random);
          }
          code.aload(MODEL).invokevirtual(ConstantDescs.CD_Object, "hashCode", hashType());
          code.aload(MODEL).invokevirtual(ConstantDescs.CD_Object, "toString", TO_STRING);
          code.invokevirtual(ConstantDescs.CD_String, "length", hashType());
          code.iadd().iload(VALUE).ixor().ireturn();
        });
  }

  private static MethodTypeDesc hashType() {
    return MethodTypeDesc.of(ConstantDescs.CD_int);
  }

  private static void statement(CodeBuilder code, Model model, RandomGenerator random) {
    Property field = model.fields().get(random.nextInt(model.fields().size()));
    int constant = random.nextInt(1, 100_000);
    switch (random.nextInt(4)) {
      case 0 -> { // value = value * constant + 7
        code.iload(VALUE).loadConstant(constant).imul().bipush(7).iadd().istore(VALUE);
      }
      case 1 -> { // if (value > constant) value ^= constant
        Label small = code.newLabel();
        code.iload(VALUE).loadConstant(constant).if_icmple(small);
        code.iload(VALUE).loadConstant(constant).ixor().istore(VALUE);
        code.labelBinding(small);
      }
      case 2 -> set(code, model, field, constant);
      default -> { // for (count = constant % 5; count > 0; count--) value += count
        Label top = code.newLabel();
        Label end = code.newLabel();
        code.loadConstant(constant % 5).istore(COUNT).labelBinding(top);
        code.iload(COUNT).ifle(end);
        code.iload(VALUE).iload(COUNT).iadd().istore(VALUE).iinc(COUNT, -1).goto_(top);
        code.labelBinding(end);
      }
    }
  }

  private static void set(CodeBuilder code, Model model, Property field, int constant) {
    code.aload(MODEL);
    switch (field.type().descriptorString()) {
      case "I" -> code.iload(VALUE);
      case "J" -> code.iload(VALUE).i2l();
      case "D" -> code.iload(VALUE).i2d();
      case "Z" -> code.loadConstant(constant % 2);
      default -> code.loadConstant("text " + constant);
    }
    code.invokevirtual(
        model.type(), field.setter(), MethodTypeDesc.of(ConstantDescs.CD_void, field.type()));
  }
}
