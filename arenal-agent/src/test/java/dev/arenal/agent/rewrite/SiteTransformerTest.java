package dev.arenal.agent.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The state that the transformer keeps of a class. */
final class SiteTransformerTest {
  private static final ClassDesc NAME = ClassDesc.of("app.User");
  private static final ClassDesc ARENA = ClassDesc.of("java.lang.foreign.Arena");

  private final RewriteLog log = new RewriteLog(false);
  private final SiteTransformer transformer =
      new SiteTransformer(
          new RewriteRules(
              true, true, false, new NamePatterns(List.of()), new NamePatterns(List.of())),
          log);

  @Test
  void classThatTheJvmRefused_isNotOfferedAgain() {
    OneClassLoader loader = new OneClassLoader();
    byte[] bytes = classFile();
    Class<?> user = loader.define(bytes);
    transformer.setSeeing(loader);
    assertThat(transformer.transform(null, loader, "app/User", user, null, bytes)).isNotNull();
    assertThat(log.summary()).startsWith("classesRewritten=1, sitesRewritten=1,");

    transformer.refused(user, new VerifyError("as a test wants it"));
    assertThat(transformer.transform(null, loader, "app/User", user, null, bytes)).isNull();
    assertThat(log.summary())
        .isEqualTo(
            "classesRewritten=0, sitesRewritten=0, sitesLeftAlone=0, classesLeftAlone=1 (refused"
                + " by the JVM: 1)");
  }

  private static byte[] classFile() {
    return ClassFile.of()
        .build(
            NAME,
            builder ->
                builder.withMethodBody(
                    "open",
                    MethodTypeDesc.of(ConstantDescs.CD_Object),
                    ClassFile.ACC_STATIC,
                    code ->
                        code.invokestatic(ARENA, "ofConfined", MethodTypeDesc.of(ARENA), true)
                            .areturn()));
  }

  private static final class OneClassLoader extends ClassLoader {
    Class<?> define(byte[] bytes) {
      return defineClass("app.User", bytes, 0, bytes.length);
    }
  }
}
