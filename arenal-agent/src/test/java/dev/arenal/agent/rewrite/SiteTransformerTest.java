package dev.arenal.agent.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.page.PageAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.LambdaMetafactory;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The class files that the transformer makes, and the state that it keeps of a class. */
final class SiteTransformerTest {
  private static final ClassDesc NAME = ClassDesc.of("app.User");
  private static final ClassDesc ARENA = ClassDesc.of("java.lang.foreign.Arena");
  private static final MethodTypeDesc OF_CONFINED = MethodTypeDesc.of(ARENA);

  private final RewriteLog log = new RewriteLog(false);
  private final SiteTransformer transformer =
      new SiteTransformer(
          new RewriteRules(
              true, true, false, new NamePatterns(List.of()), new NamePatterns(List.of())),
          log);

  @Test
  void rewrittenClass_keepsItsBytes() {
    for (byte[] original :
        List.of(
            classFile(SiteTransformerTest::call),
            classFile(SiteTransformerTest::reference),
            classFile(code -> {
              code.invokestatic(ARENA, "ofConfined", OF_CONFINED, true).pop();
              reference(code);
            }))) {
      OneClassLoader other = new OneClassLoader();
      byte[] bridged = rewritten(other, null, original);
      assertKept(original, bridged);
      var _ = other.define(bridged);

      OneClassLoader seeing = new OneClassLoader();
      Class<?> loaded = seeing.define(original);
      transformer.setSeeing(seeing);
      assertKept(original, rewritten(seeing, loaded, original));
    }
  }

  /** A part that is added to the library later must be left as it is, too. */
  @Test
  void eachPartOfTheLibrary_isOwn() throws Exception {
    Path place =
        Path.of(PageAllocator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> parts = new ArrayList<>();
    if (Files.isDirectory(place)) {
      parts.addAll(partsIn(place));
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place)) {
        parts.addAll(partsIn(jar.getPath("/")));
      }
    }
    assertThat(parts).contains("page", "reserve").hasSizeGreaterThan(10);
    assertThat(parts)
        .allSatisfy(part ->
            assertThat(SiteTransformer.isOwn("dev/arenal/" + part + "/Any")).as(part).isTrue());
    assertThat(SiteTransformer.isOwn("dev/arenal/app/Any")).isFalse();
  }

  @Test
  void partOfTheLibrary_isLeftAlone_ifItsLoaderDoesNotNameIt() {
    ClassDesc own = ClassDesc.of("dev.arenal.confined.Any");
    byte[] classFile =
        ClassFile.of()
            .build(
                own,
                builder ->
                    builder.withMethodBody(
                        "open",
                        OF_CONFINED,
                        ClassFile.ACC_STATIC,
                        code ->
                            code.invokestatic(ARENA, "ofConfined", OF_CONFINED, true).areturn()));
    assertThat(transformer.transform(null, new OneClassLoader(), null, null, null, classFile))
        .isNull();
  }

  private static List<String> partsIn(Path root) throws IOException {
    try (Stream<Path> paths = Files.list(root.resolve("dev/arenal"))) {
      return paths.filter(Files::isDirectory).map(path -> path.getFileName().toString()).toList();
    }
  }

  /** Otherwise the journal would say of the class that it has bridges, which it must then keep. */
  @Test
  void logWithoutMemory_doesNotCostTheRewrite() {
    AtomicInteger lineCount = new AtomicInteger();
    Consumer<String> full =
        _ -> {
          if (lineCount.getAndIncrement() == 0) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    RewriteRules rules =
        new RewriteRules(
            true, true, false, new NamePatterns(List.of()), new NamePatterns(List.of()));
    SiteTransformer verbose = new SiteTransformer(rules, new RewriteLog(true, full));
    byte[] original = classFile(SiteTransformerTest::call);
    OneClassLoader loader = new OneClassLoader();
    byte[] first = verbose.transform(null, loader, "app/User", null, null, original);
    assertThat(lineCount).hasValue(1);
    assertThat(first).isNotNull();
    Class<?> loaded = loader.define(Objects.requireNonNull(first));
    assertThat(verbose.transform(null, loader, "app/User", loaded, null, original))
        .isEqualTo(first);
  }

  private byte[] rewritten(ClassLoader loader, @Nullable Class<?> loaded, byte[] original) {
    return Objects.requireNonNull(
        transformer.transform(null, loader, "app/User", loaded, null, original));
  }

  /** Without what was added, no more differs than the operands of two sites, and counts. */
  private static void assertKept(byte[] original, byte[] rewritten) {
    assertThat(ClassFile.of().verify(rewritten)).isEmpty();
    ClassFileParts before = parts(original);
    ClassFileParts after = parts(rewritten);
    int methodBytes = before.methodsEnd() - before.constantsEnd();
    int tableBytes = before.bootstrapMethodsBytes();
    int tableEnd = tableBytes == 0 ? original.length : before.bootstrapMethodsAt() + tableBytes;
    int tail = original.length - tableEnd;
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    kept.write(rewritten, 0, before.constantsEnd());
    kept.write(rewritten, after.constantsEnd(), methodBytes);
    kept.write(rewritten, after.methodsEnd(), tableEnd - before.methodsEnd());
    kept.write(rewritten, rewritten.length - tail, tail);
    byte[] again = kept.toByteArray();
    assertThat(again).hasSameSizeAs(original);
    int differenceCount = 0;
    for (int i = 0; i < original.length; i++) {
      differenceCount += again[i] == original[i] ? 0 : 1;
    }
    // Constants, methods, attributes, the table and its length; and two operands.
    assertThat(differenceCount).isBetween(2, 14);
  }

  /** The bridge brings a table, with which the JVM might accept it. */
  @Test
  void classThatNamesBootstrapMethodsItDoesNotHave_isLeftToTheJvmToRefuse() {
    byte[] bytes =
        classFile(code -> {
          code.invokestatic(ARENA, "ofConfined", OF_CONFINED, true).pop();
          reference(code);
        });
    ClassFileParts parts = parts(bytes);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, parts.methodsEnd());
    out.write(0); // no attributes: it was the only one
    out.write(0);
    assertThat(parts.bootstrapMethodsAt() + parts.bootstrapMethodsBytes()).isEqualTo(bytes.length);
    byte[] damaged = out.toByteArray();
    OneClassLoader loader = new OneClassLoader();
    assertThat(transformer.transform(null, loader, "app/User", null, null, damaged)).isNull();
    assertThat(log.summary()).endsWith("classesLeftAlone=1 (unreadable: 1)");
    assertThatThrownBy(() -> loader.define(damaged)).isInstanceOf(ClassFormatError.class);
  }

  @Test
  void handleThatIsLoadedAsConstant_isLeftAloneAsAReference() {
    byte[] bytes =
        classFile(code ->
            code.ldc(
                    MethodHandleDesc.ofMethod(
                        Kind.INTERFACE_STATIC, ARENA, "ofConfined", OF_CONFINED))
                .areturn());
    OneClassLoader loader = new OneClassLoader();
    assertThat(transformer.transform(null, loader, "app/User", null, null, bytes)).isNull();
    assertThat(log.summary())
        .isEqualTo(
            "classesRewritten=0, sitesRewritten=0, sitesLeftAlone=1 (method reference of an unknown"
                + " kind: 1), classesLeftAlone=0");
  }

  private static ClassFileParts parts(byte[] classFile) {
    return new ClassFileParts(classFile, ClassFile.of().parse(classFile).constantPool());
  }

  @Test
  void classThatTheJvmRefused_isNotOfferedAgain() {
    OneClassLoader loader = new OneClassLoader();
    byte[] bytes = classFile(SiteTransformerTest::call);
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

  private static void call(CodeBuilder code) {
    code.invokestatic(ARENA, "ofConfined", OF_CONFINED, true).areturn();
  }

  private static void reference(CodeBuilder code) {
    ClassDesc supplier = ClassDesc.of(Supplier.class.getName());
    code.invokedynamic(
            DynamicCallSiteDesc.of(
                ConstantDescs.ofCallsiteBootstrap(
                    ClassDesc.of(LambdaMetafactory.class.getName()),
                    "metafactory",
                    ConstantDescs.CD_CallSite,
                    ConstantDescs.CD_MethodType,
                    ConstantDescs.CD_MethodHandle,
                    ConstantDescs.CD_MethodType),
                "get",
                MethodTypeDesc.of(supplier),
                MethodTypeDesc.of(ConstantDescs.CD_Object),
                MethodHandleDesc.ofMethod(Kind.INTERFACE_STATIC, ARENA, "ofConfined", OF_CONFINED),
                OF_CONFINED))
        .areturn();
  }

  private static byte[] classFile(Consumer<CodeBuilder> code) {
    return ClassFile.of()
        .build(
            NAME,
            builder ->
                builder.withMethodBody(
                    "open",
                    MethodTypeDesc.of(ConstantDescs.CD_Object),
                    ClassFile.ACC_STATIC,
                    code));
  }

  private static final class OneClassLoader extends ClassLoader {
    Class<?> define(byte[] bytes) {
      return defineClass("app.User", bytes, 0, bytes.length);
    }
  }
}
