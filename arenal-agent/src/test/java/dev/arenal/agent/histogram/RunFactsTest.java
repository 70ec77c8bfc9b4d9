package dev.arenal.agent.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RunFactsTest {
  /** Arguments, which may be secret, are no part of it. */
  @ParameterizedTest
  @CsvSource({
    "app.Main, lib, app.Main",
    "app.Main secret, lib|agent.jar, app.Main",
    "/opt/app.jar a/b, /opt/app.jar|agent.jar, app.jar",
    "/my app/the app.jar --password x, /my app/the app.jar|agent.jar, the app.jar",
    "my app.jar, my app.jar, my app.jar",
    "my.app/my.app.Main a, '', my.app.Main",
    "Main2 x, Main, Main2"
  })
  void program_isTheMainClassOrTheJar(String command, String classPath, String expected) {
    String path = classPath.replace("|", File.pathSeparator);
    assertThat(RunFacts.programName(command, path)).isEqualTo(expected);
  }
}
