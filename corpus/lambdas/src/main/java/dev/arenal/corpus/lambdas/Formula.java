package dev.arenal.corpus.lambdas;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.Random;
import java.util.function.LongBinaryOperator;

/** An arithmetic formula that a user typed in, and the hidden class that it is compiled to. */
sealed interface Formula {
  /** The deepest that formulas nest. */
  int DEEPEST = 6;

  /** A number. */
  record Number(long value) implements Formula {}

  /** The first or the second argument. */
  record Argument(boolean first) implements Formula {}

  /** An operation on two formulas: an operator of Java or a static method of Math. */
  record Operation(String name, Formula left, Formula right) implements Formula {}

  /** One formula or another. */
  record Choice(Formula condition, Formula positive, Formula other) implements Formula {}

  /** Draws a formula; most are short. */
  static Formula draw(Random random, int depth) {
    if (depth == DEEPEST || random.nextInt(DEEPEST) < depth - 1) {
      return random.nextInt(3) == 0
          ? new Number(random.nextInt(100_000))
          : new Argument(random.nextBoolean());
    }
    if (random.nextInt(6) == 0) {
      return new Choice(draw(random, depth + 1), draw(random, depth + 1), draw(random, depth + 1));
    }
    String[] names = {"+", "-", "*", "max", "min", "multiplyHigh", "unsignedMultiplyHigh"};
    String name = names[random.nextInt(names.length)];
    return new Operation(name, draw(random, depth + 1), draw(random, depth + 1));
  }

  /** A hidden class of its own for the formula, which goes when the formula is dropped. */
  default LongBinaryOperator compile() {
    MethodTypeDesc type = MethodTypeDesc.of(CD_long, CD_long, CD_long);
    byte[] bytes =
        ClassFile.of()
            .build(
                ClassDesc.of(Formula.class.getPackageName(), "Compiled"),
                builder ->
                    builder
                        .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL)
                        .withInterfaceSymbols(LongBinaryOperator.class.describeConstable().get())
                        .withMethodBody(
                            INIT_NAME,
                            MTD_void,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                    .return_())
                        .withMethodBody(
                            "applyAsLong",
                            type,
                            ClassFile.ACC_PUBLIC,
                            code -> emit(code).lreturn()));
    try {
      return (LongBinaryOperator)
          MethodHandles.lookup()
              .defineHiddenClass(bytes, true)
              .lookupClass()
              .getConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not compiled: " + this, e);
    }
  }

  /** Emits code that pushes the formula's value. */
  private CodeBuilder emit(CodeBuilder code) {
    return switch (this) {
      case Number(long value) -> code.loadConstant(value);
      case Argument(boolean first) -> code.lload(first ? 1 : 3);
      case Operation(String name, Formula left, Formula right) -> {
        left.emit(code);
        right.emit(code);
        yield operate(code, name);
      }
      case Choice(Formula condition, Formula positive, Formula other) ->
          condition
              .emit(code)
              .lconst_0()
              .lcmp()
              .ifThenElse(Opcode.IFGT, yes -> positive.emit(yes), no -> other.emit(no));
    };
  }

  private static CodeBuilder operate(CodeBuilder code, String name) {
    return switch (name) {
      case "+" -> code.ladd();
      case "-" -> code.lsub();
      case "*" -> code.lmul();
      default ->
          code.invokestatic(
              Math.class.describeConstable().get(),
              name,
              MethodTypeDesc.of(CD_long, CD_long, CD_long));
    };
  }
}
