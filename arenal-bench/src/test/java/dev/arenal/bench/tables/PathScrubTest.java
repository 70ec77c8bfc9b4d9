package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathScrubTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          /opt/jdk-25/bin/java ; (path)
          -Xlog:gc:file=/tmp/gc.log -Xmx1g ; -Xlog:gc:file=(path) -Xmx1g
          'of ''/srv/me'' and //x' ; 'of ''(path)'' and /(path)'
          committed / used ; committed / used
          ns/op, 3/4 and (a)/b ; ns/op, 3/4 and (a)/b
          25.0.3+9-LTS ; 25.0.3+9-LTS
          """)
  void clean_takesPathsAndNothingElse(String text, String clean) {
    assertThat(PathScrub.clean(text)).isEqualTo(clean);
  }
}
