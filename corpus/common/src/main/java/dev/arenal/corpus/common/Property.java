package dev.arenal.corpus.common;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** A property of a bean whose class a program writes, as generators do that read a schema. */
public record Property(String name, ClassDesc type) {

  /** The name of the method that reads it. */
  public String getter() {
    return (type.equals(ConstantDescs.CD_boolean) ? "is" : "get") + capital();
  }

  /** The name of the method that sets it. */
  public String setter() {
    return "set" + capital();
  }

  /** Writes the field, its getter and its setter. */
  public void write(ClassBuilder builder, ClassDesc owner) {
    TypeKind kind = TypeKind.from(type);
    builder.withField(name, type, ClassFile.ACC_PRIVATE);
    builder.withMethodBody(
        getter(),
        MethodTypeDesc.of(type),
        ClassFile.ACC_PUBLIC,
        code -> code.aload(0).getfield(owner, name, type).return_(kind));
    builder.withMethodBody(
        setter(),
        MethodTypeDesc.of(ConstantDescs.CD_void, type),
        ClassFile.ACC_PUBLIC,
        code -> code.aload(0).loadLocal(kind, 1).putfield(owner, name, type).return_());
  }

  /** Writes the constructor that every bean has. */
  public static void writeConstructor(ClassBuilder builder) {
    builder.withMethodBody(
        ConstantDescs.INIT_NAME,
        ConstantDescs.MTD_void,
        ClassFile.ACC_PUBLIC,
        code ->
            code.aload(0)
                .invokespecial(
                    ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                .return_());
  }

  private String capital() {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
