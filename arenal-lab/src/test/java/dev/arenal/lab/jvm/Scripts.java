package dev.arenal.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Programs made of shell, for JVMs and installers that do what no real one does when asked. */
public final class Scripts {
  private Scripts() {}

  /** An executable script of that text. */
  public static Path create(Path file, String text) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  /** The home of a JDK that says it is of that version and else does what is given. */
  public static Path jdk(Path home, String version, String vmName, String otherwise)
      throws IOException {
    String feature = version.replaceFirst("[^0-9].*", "");
    create(
        home.resolve("bin").resolve("java"),
        """
        if [ "$1" = -XshowSettings:properties ]; then
            echo '    java.specification.version = %s'
            echo '    java.runtime.version = %s'
            echo '    java.vm.name = %s'
            exit 0
        fi
        %s
        """
            .formatted(feature, version, vmName, otherwise));
    return home;
  }

  /** The same, of HotSpot. */
  public static Path jdk(Path home, String version, String otherwise) throws IOException {
    return jdk(home, version, "OpenJDK 64-Bit Server VM", otherwise);
  }
}
