package dev.arenal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.agent.AgentJvm.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of programs whose arenas are known. */
final class HistogramIT {
  @TempDir Path folder;

  @Test
  void threadsOfBothKinds_areCountedExactly() throws IOException {
    String json =
        figures(
            """
            static void many(int count) {
              for (int i = 0; i < count; i++) {
                try (Arena arena = Arena.ofConfined()) {
                  arena.allocate(i % 64);
                }
                try (Arena arena = Arena.ofConfined()) {}
              }
            }

            public static void main(String[] arguments) throws Exception {
              List<Thread> threads = new ArrayList<>();
              for (int i = 0; i < 300; i++) {
                Thread.Builder builder = i % 3 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
                threads.add(builder.start(() -> many(640)));
              }
              for (Thread thread : threads) {
                thread.join();
              }
              many(6400);
              try (Arena arena = Arena.ofConfined()) {
                arena.allocate(600_000);
                arena.allocate(1);
              }
              Arena.ofConfined().allocate(100);
            }
            """);
    long each = (300 * 640 + 6400) / 64;
    assertThat(json)
        .contains(
            "\"program\": \"Main\"",
            "\"pooledSites\": \"try-with-resources\"",
            "\"arenasOpened\": " + (2 * 198_400 + 2) + ",",
            "\"arenasClosed\": " + (2 * 198_400 + 1) + ",",
            "\"arenasNotClosed\": 1,",
            "\"arenasWithoutAllocations\": 198400,",
            "\"bytes\": " + (each * 63 * 32 + 600_001) + ",",
            "\"allocations\": " + (198_400 + 2) + ",",
            "\"arenasByExactBytes\": [\n    " + (198_400 + each) + ", " + each + ", ",
            "{\"label\": \">= 512 KiB\", \"arenas\": 1, \"bytes\": 600001}",
            "{\"fromBytes\": 524288, \"toBytes\": 1048575, \"arenas\": 1, \"bytes\": 600001}",
            "{\"from\": 2, \"to\": 3, \"arenas\": 1}",
            // Blocks of 16 bytes: sizes up to 16 fit into the smallest pool, and the last byte.
            "{\"sizeBytes\": 8, \"arenas\": "
                + (198_400 + 17 * each)
                + ", \"allocations\": "
                + (17 * each + 1)
                + "}",
            "{\"sizeBytes\": 64, \"arenas\": " + 2 * 198_400 + ", \"allocations\": 198401}");
  }

  @Test
  void arenas_countWhenTheirScopeEnds_andKeepTheirExceptions() throws IOException {
    String body =
        """
        static String thrown(Runnable action) {
          try {
            action.run();
            return "nothing";
          } catch (Throwable e) {
            return e.toString();
          }
        }

        public static void main(String[] arguments) throws Exception {
          Arena arena = Arena.ofConfined();
          MemorySegment segment = arena.allocate(24);
          System.out.println(thrown(() -> arena.allocate(-1)));
          System.out.println(thrown(() -> arena.allocate(8, 3)));
          Thread other = new Thread(() -> {
            System.out.println(thrown(arena::close));
            System.out.println(thrown(() -> arena.allocate(8)));
          });
          other.start();
          other.join();
          System.out.println(arena.scope().isAlive() + " " + segment.scope().equals(arena.scope()));
          segment.reinterpret(arena, s -> { throw new IllegalArgumentException("cleanup"); });
          System.out.println(thrown(arena::close));
          System.out.println(arena.scope().isAlive() + " " + thrown(() -> segment.get(
              ValueLayout.JAVA_BYTE, 0)));
          System.out.println(thrown(arena::close));
          System.out.println(thrown(() -> arena.allocate(8)));
        }
        """;
    String json = figures(body);
    assertThat(json)
        .contains(
            "\"arenasOpened\": 1,",
            "\"arenasClosed\": 1,",
            "\"bytes\": 24,",
            "\"allocations\": 1,");
    Result without = new AgentJvm().run(folder.resolve("classes"), "Main");
    assertThat(run("histogram=" + folder.resolve("again.json")).out())
        .isEqualTo(without.out())
        .contains("java.lang.IllegalArgumentException: cleanup\nfalse ");
  }

  @Test
  void eachProcess_hasItsFileOnRequest() throws IOException {
    compile("public static void main(String[] arguments) { Arena.ofConfined().close(); }");
    var _ = run("histogram=" + folder.resolve("run-%p.json"));
    var _ = run("histogram=" + folder.resolve("run-%p.json"));
    try (var files = Files.list(folder)) {
      List<String> names = files.map(path -> path.getFileName().toString()).sorted().toList();
      assertThat(names).hasSize(5).first().isEqualTo("classes");
      assertThat(names.get(1)).matches("run-[0-9]+\\.json");
      assertThat(names.get(2)).isEqualTo(names.get(1) + ".txt");
    }
  }

  private String figures(String body) throws IOException {
    compile(body);
    Path file = folder.resolve("figures.json");
    Result result = run("histogram=" + file);
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    return Files.readString(file);
  }

  private void compile(String body) {
    String imports = "import java.lang.foreign.*;\nimport java.util.*;\n";
    var _ =
        new Sources()
            .file("Main.java", imports + "public class Main {\n" + body + "}\n")
            .compileInto(folder.resolve("classes"));
  }

  private Result run(String options) {
    return new AgentJvm().agent(options).run(folder.resolve("classes"), "Main");
  }
}
