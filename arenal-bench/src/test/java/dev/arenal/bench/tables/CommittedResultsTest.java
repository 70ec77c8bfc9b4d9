package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The repository itself: what its documents quote is what its result files say. */
final class CommittedResultsTest {
  @Test
  void documents_quoteTheCommittedResults() throws IOException {
    assertThat(new BenchmarkDocs(root()).stale().keySet())
        .as(
            "documents that quote other figures than the results beside them;"
                + " to write them again: docs/benchmarks/update")
        .isEmpty();
  }

  /** A path tells nothing, except the name of a user. */
  @Test
  void results_nameNoPathOfAMachine() throws IOException {
    Path benchmarks = root().resolve("docs/benchmarks");
    try (Stream<Path> files = Files.walk(benchmarks)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).toList()) {
        JsonNode node = Json.read(file, JsonNode.class);
        assertThat(PathScrub.clean(node)).as(file.toString()).isEqualTo(node);
      }
    }
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("LICENSE"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no LICENSE in this folder or above it");
    }
    return folder;
  }
}
