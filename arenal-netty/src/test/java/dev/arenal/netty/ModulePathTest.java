package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCounted;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The module, which tests on the class path do not feel otherwise. */
final class ModulePathTest {
  private static final String NAME = "dev.arenal.netty";

  private final ModuleFinder finder =
      ModuleFinder.of(
          placeOf(ArenalByteBufAllocator.class),
          placeOf(PageAllocator.class),
          placeOf(ByteBuf.class),
          placeOf(ReferenceCounted.class));

  private static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  @Test
  void exports_areOnePackage() {
    ModuleDescriptor module = finder.find(NAME).orElseThrow().descriptor();
    assertThat(module.exports())
        .extracting(ModuleDescriptor.Exports::toString)
        .containsExactly(NAME);
    assertThat(module.opens()).isEmpty();
  }

  /** With what the documents say: native access for two modules, none of them Netty's. */
  @Test
  @SuppressWarnings("restricted") // as --enable-native-access does
  void modules_workTogether() throws Exception {
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(NAME));
    ModuleLayer.Controller controller =
        ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(boot), ClassLoader.getPlatformClassLoader());
    for (String name : new String[] {NAME, "dev.arenal"}) {
      var _ = controller.enableNativeAccess(controller.layer().findModule(name).orElseThrow());
    }
    ClassLoader loader = controller.layer().findLoader(NAME);
    Class<?> type = loader.loadClass(ArenalByteBufAllocator.class.getName());
    assertThat(type.getModule().getName()).isEqualTo(NAME);
    Object allocator = type.getField("DEFAULT").get(null);
    Object buffer = type.getMethod("directBuffer", int.class).invoke(allocator, 1000);
    Class<?> face = loader.loadClass(ByteBuf.class.getName());
    assertThat(face.getMethod("writeLong", long.class).invoke(buffer, 42L)).isSameAs(buffer);
    assertThat(face.getMethod("readLong").invoke(buffer)).isEqualTo(42L);
    assertThat(face.getMethod("release").invoke(buffer)).isEqualTo(true);
  }
}
