package dev.arenal.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Methods whose size decides what HotSpot's C2 makes of their callers: it does not inline one of
 * more than {@code FreqInlineSize} bytes of bytecode, 325 by default, however hot it is (ADR 0058).
 */
final class InliningTest {
  private static final int LARGEST_INLINED_BYTES = 325;

  /** The code behind them would otherwise be compiled into each place where a program allocates. */
  @ParameterizedTest
  @CsvSource({
    "dev.arenal.elastic.StretchGrowth, takeChunks",
    "dev.arenal.page.PageState, allocateInHeaps",
    "dev.arenal.page.Rack, take",
    "dev.arenal.page.Rack, put",
  })
  void slowPaths_areTooLargeToBeInlined(String className, String method) throws IOException {
    assertThat(codeBytes(className, method)).isGreaterThan(LARGEST_INLINED_BYTES);
  }

  @ParameterizedTest
  @CsvSource({
    "dev.arenal.page.PageAllocator, allocate",
    "dev.arenal.page.PageState, tryAllocate",
    "dev.arenal.page.Racks, allocate",
    "dev.arenal.page.Racks, allocateSlot",
    "dev.arenal.page.PageBuffer, close",
    "dev.arenal.page.PageBuffer, free",
  })
  void fastPaths_areSmallEnough(String className, String method) throws IOException {
    assertThat(codeBytes(className, method)).isLessThanOrEqualTo(LARGEST_INLINED_BYTES);
  }

  /** Of the largest method of that name. */
  private static int codeBytes(String className, String method) throws IOException {
    String file = "/" + className.replace('.', '/') + ".class";
    try (InputStream in = InliningTest.class.getResourceAsStream(file)) {
      List<MethodModel> methods = ClassFile.of().parse(in.readAllBytes()).methods();
      return methods.stream()
          .filter(model -> model.methodName().equalsString(method))
          .flatMap(model -> model.code().stream())
          .mapToInt(code -> ((CodeAttribute) code).codeLength())
          .max()
          .orElseThrow();
    }
  }
}
