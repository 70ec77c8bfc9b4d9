package dev.arenal.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The house rules, held against every text file of every module. */
final class TidyTest {
  @Test
  void repository_isTidy() throws IOException {
    Map<String, String> files = SourceTree.textFiles(SourceTree.root());
    assertThat(files)
        .as("files seen; a module that is missing here is not checked")
        .containsKeys(
            "pom.xml",
            "arenal",
            ".ci/run",
            "arenal-core/src/main/java/module-info.java",
            "arenal-workload/pom.xml",
            "arenal-lab/src/main/java/module-info.java",
            "arenal-bench/pom.xml");
    List<String> complaints = new ArrayList<>();
    files.forEach((path, text) -> complaints.addAll(TidyRules.complaints(path, text)));
    if (!complaints.isEmpty()) {
      fail("untidy: places=" + complaints.size() + "\n" + String.join("\n", complaints));
    }
  }
}
