package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java in documents is compiled as it stands there; that of README is also run. */
final class DocumentedCodeTest {
  private static final Pattern SNIPPET =
      Pattern.compile("```java\n(.*?)```", Pattern.DOTALL | Pattern.MULTILINE);

  private static final Pattern CLASS = Pattern.compile("public class (\\w+)");
  private static final Pattern METHOD = Pattern.compile("\\w+ \\w+\\([^)]*\\) throws .*\\{\n");

  /**
   * Pages about adapters, some of which are not on the class path of the lab: a test of their
   * module has each example, and runs it.
   */
  private static final Map<String, String> OF_OTHER_MODULES =
      Map.of(
          "netty.md", "arenal-netty/src/test/java/dev/arenal/netty/DocumentedExamplesTest.java",
          "arrow.md", "arenal-arrow/src/test/java/dev/arenal/arrow/DocumentedExamplesTest.java",
          "metrics.md",
              "arenal-micrometer/src/test/java/dev/arenal/micrometer/DocumentedExamplesTest.java");

  private static final String IMPORTS =
      """
      import dev.arenal.confined.*;
      import dev.arenal.elastic.*;
      import dev.arenal.memory.*;
      import dev.arenal.page.*;
      import dev.arenal.pretouch.*;
      import dev.arenal.stats.*;
      import java.io.*;
      import java.lang.foreign.*;
      import java.lang.invoke.*;
      import java.nio.channels.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import javax.management.*;
      """;

  /** Declarations that a snippet may use without making them. */
  private static final String CONTEXT =
      """
      static ReadableByteChannel channel;
      static ExecutorService executor;
      static Budget budget;
      static PageAllocator pages;
      static ElasticSpace tenants;
      static Instant deadline;
      static MBeanServerConnection connection;
      static ObjectName name;
      static void handle(MemorySegment segment) {}
      static void sort(MemorySegment segment) {}
      static void log(long done, long total) {}
      """;

  @TempDir private Path folder = Path.of("");

  private record Source(String className, String text) {}

  @Test
  void everySnippet_compiles() throws IOException {
    int snippetCount = 0;
    for (Path document : Documents.all()) {
      String name = document.getFileName().toString();
      if (!OF_OTHER_MODULES.containsKey(name)) {
        List<Source> sources = sources(Files.readString(document));
        snippetCount += sources.size();
        for (Source source : sources) {
          assertThat(compile(source)).as(name + ":\n" + source.text()).isEmpty();
        }
      }
    }
    assertThat(snippetCount).isGreaterThan(12);
  }

  @Test
  void examplesOfAdapters_areInTheirTests() throws IOException {
    for (Map.Entry<String, String> page : OF_OTHER_MODULES.entrySet()) {
      String document = Files.readString(Documents.root().resolve("docs").resolve(page.getKey()));
      String test = withoutBlanks(Files.readString(Documents.root().resolve(page.getValue())));
      List<String> snippets =
          SNIPPET.matcher(document).results().map(match -> match.group(1)).toList();
      assertThat(snippets)
          .as(page.getKey())
          .isNotEmpty()
          .allSatisfy(snippet -> assertThat(test).contains(withoutBlanks(snippet)));
    }
  }

  private static String withoutBlanks(String text) {
    return text.replaceAll("\\s", "");
  }

  @Test
  void examplesOfReadme_run() throws Exception {
    List<Source> sources = sources(Files.readString(Documents.root().resolve("README.md")));
    assertThat(sources).hasSize(3);
    for (Source source : sources) {
      assertThat(compile(source)).isEmpty();
    }
    URL[] place = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(place, getClass().getClassLoader())) {
      for (Source source : sources) {
        Object example =
            loader.loadClass(source.className()).getDeclaredConstructor().newInstance();
        example.getClass().getMethod("run").invoke(example);
      }
    }
  }

  @Test
  void compiler_seesWhatIsWrong() throws IOException {
    List<Source> sources = sources("```java\nPageAllocator.noSuchMethod();\n```\n");
    assertThat(compile(sources.getFirst())).contains("noSuchMethod");
  }

  private static List<Source> sources(String document) {
    List<String> snippets =
        SNIPPET.matcher(document).results().map(match -> match.group(1)).toList();
    return IntStream.range(0, snippets.size())
        .mapToObj(i -> source("Example" + i, snippets.get(i)))
        .toList();
  }

  private static Source source(String name, String snippet) {
    List<MatchResult> whole = CLASS.matcher(snippet).results().toList();
    if (!whole.isEmpty()) {
      return new Source(whole.getFirst().group(1), snippet);
    }
    boolean isMethod = METHOD.matcher(snippet).lookingAt();
    String body =
        isMethod ? snippet : "public void run() throws Throwable {\n%s}\n".formatted(snippet);
    return new Source(name, "%spublic class %s {\n%s%s}\n".formatted(IMPORTS, name, CONTEXT, body));
  }

  /** The output of the compiler; empty if all is well. */
  private String compile(Source source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options = new ArrayList<>(List.of("-d", folder.toString(), "-proc:none"));
    options.addAll(List.of("-cp", System.getProperty("java.class.path")));
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///%s.java".formatted(source.className())),
            JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source.text();
          }
        };
    StringWriter said = new StringWriter();
    boolean isCompiled = compiler.getTask(said, null, null, options, null, List.of(file)).call();
    return isCompiled ? "" : said.toString();
  }
}
