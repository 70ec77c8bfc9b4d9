package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.arrow.use.OneBuffer;
import dev.arenal.page.PageAllocator;
import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.arrow.memory.AllocationManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.nop.NOPServiceProvider;

/** The module, which tests on the class path do not feel otherwise. */
final class ModulePathTest {
  private static final String NAME = "dev.arenal.arrow";
  private static final List<Path> MODULES =
      List.of(
          Paths.of(ArenalAllocationManager.class),
          Paths.of(PageAllocator.class),
          Paths.of(AllocationManager.class),
          Paths.of("org.apache.arrow.memory.unsafe.UnsafeAllocationManager"),
          Paths.of(Logger.class),
          Paths.of(NOPServiceProvider.class));

  @TempDir private Path folder;

  @Test
  void exports_areOnePackage() {
    ModuleDescriptor module =
        ModuleFinder.of(Paths.of(ArenalAllocationManager.class))
            .find(NAME)
            .orElseThrow()
            .descriptor();
    assertThat(module.exports())
        .extracting(ModuleDescriptor.Exports::toString)
        .containsExactly(NAME);
    assertThat(module.opens()).isEmpty();
  }

  /** With what the documents say: Arrow's default has to be there, and no module requires it. */
  @Test
  void modules_workTogether() throws Exception {
    Child child = run("dev.arenal.arrow,org.apache.arrow.memory.unsafe");
    assertThat(child.out())
        .as("%s", child)
        .containsExactly("module: dev.arenal.arrow", "buffer: 1024");
    assertThat(child.status()).isZero();
    assertThat(child.complaints()).isEmpty();
  }

  @Test
  void withoutADefaultOfArrow_arrowSaysSo() throws Exception {
    Child child = run("dev.arenal.arrow");
    assertThat(child.status()).isOne();
    assertThat(child.out()).containsExactly("module: dev.arenal.arrow");
    assertThat(String.join("\n", child.complaints()))
        .contains("No DefaultAllocationManager found on classpath.");
  }

  private Child run(String roots) throws Exception {
    return Child.run(
        folder,
        List.of(
            "--enable-native-access=dev.arenal",
            "--illegal-native-access=deny",
            "--module-path",
            MODULES.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
            "--add-modules",
            roots,
            "-cp",
            Paths.of(OneBuffer.class).toString(),
            OneBuffer.class.getName()));
  }
}
