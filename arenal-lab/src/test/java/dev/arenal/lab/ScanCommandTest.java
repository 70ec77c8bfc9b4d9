package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a person types it. */
final class ScanCommandTest {
  private static final String SOURCE =
      """
      package app;
      import java.lang.foreign.Arena;
      class Main {
        long sum() {
          try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(8).address();
          }
        }
        Arena open() {
          return Arena.ofConfined();
        }
      }
      """;

  private static final String VERDICT =
      "The agent rewrites %d of %d sites unless told otherwise: those that are always closed.\n";

  @TempDir static Path classes;
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void compile() throws IOException {
    Path source = Files.writeString(classes.resolve("Main.java"), SOURCE);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      var task =
          compiler.getTask(
              null,
              files,
              null,
              List.of("-d", classes.toString()),
              null,
              files.getJavaFileObjects(source));
      assertThat(task.call()).isTrue();
    }
    Files.delete(source);
  }

  @Test
  void folder_isListed() {
    assertThat(run("scan", classes.toString())).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .isEqualTo(
            classes
                + ": 2 sites in 1 class\n"
                + "  try-with-resources  app.Main  sum    5\n"
                + "  returned            app.Main  open  10\n"
                + "\n"
                + VERDICT.formatted(1, 2));
  }

  @Test
  void json_hasAllShapesAndEntries() throws IOException {
    byte[] main = main();
    byte[] inner = jar(Map.of("app/Main.class", main));
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("BOOT-INF/lib/inner.jar", inner);
    entries.put("META-INF/versions/22/app/Main.class", main);
    entries.put("app/Main.class", main);
    Path jar = Files.write(folder.resolve("outer.jar"), jar(entries));

    assertThat(run("scan", "--json", "-", jar.toString())).isZero();
    JsonNode root = new ObjectMapper().readTree(out.toString());
    assertThat(root.properties()).hasSize(1);
    JsonNode artifact = root.get("artifacts").get(0);
    assertThat(artifact.get("artifact").asText()).isEqualTo(jar.toString());
    assertThat(artifact.get("sites").asInt()).isEqualTo(6);
    assertThat(artifact.get("shapes").toString())
        .isEqualTo(
            "{\"try-with-resources\":3,\"kotlin-use\":0,\"closed-in-method\":0,\"never-closed\":0,"
                + "\"stored-in-field\":0,\"returned\":3,\"passed-on\":0,\"method-reference\":0}");
    assertThat(artifact.get("list").findValuesAsText("entry"))
        .containsExactly(
            "BOOT-INF/lib/inner.jar!/app/Main.class",
            "BOOT-INF/lib/inner.jar!/app/Main.class",
            "META-INF/versions/22/app/Main.class",
            "META-INF/versions/22/app/Main.class",
            "app/Main.class",
            "app/Main.class");
    assertThat(artifact.get("list").get(5).toString())
        .isEqualTo(
            "{\"class\":\"app.Main\",\"method\":\"open\",\"line\":10,\"shape\":\"returned\","
                + "\"entry\":\"app/Main.class\"}");
    assertThat(err.toString())
        .contains("  returned            app.Main  open  10  META-INF/versions/22/\n");
  }

  @Test
  void totals_haveColumnsForWhatThereIs() throws IOException {
    Path jar = Files.write(folder.resolve("a.jar"), jar(Map.of("app/Main.class", main())));
    Path empty = Files.createDirectory(folder.resolve("none"));
    String name = jar.toString();
    String padding = " ".repeat(name.length() - empty.toString().length());

    assertThat(run("scan", "--totals", name, empty.toString())).isZero();
    assertThat(out.toString())
        .isEqualTo(
            "artifact"
                + " ".repeat(name.length() - 8)
                + "  sites  try-with-resources  returned  rewritten\n"
                + name
                + "      2                   1         1          1\n"
                + empty
                + padding
                + "      0                   0         0          0\n"
                + "all"
                + " ".repeat(name.length() - 3)
                + "      2                   1         1          1\n"
                + "\n"
                + VERDICT.formatted(1, 2));
  }

  @Test
  void markdown_hasColumnsForAllShapes() {
    assertThat(run("scan", "--markdown", classes.resolve("app/Main.class").toString())).isZero();
    assertThat(out.toString().replaceAll(" +", " ").replaceAll("-+", "-"))
        .isEqualTo(
            "| artifact | sites | try-with-resources | kotlin-use | closed-in-method | never-closed"
                + " | stored-in-field | returned | passed-on | method-reference | rewritten |\n"
                + "|-|-:|-:|-:|-:|-:|-:|-:|-:|-:|-:|\n"
                + "| "
                + classes.resolve("app/Main.class")
                + " | 2 | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 |\n");
  }

  @Test
  void whatCannotBeRead_isNamed_andTheRestIsShown() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("app/Half.class", Arrays.copyOf(main(), 9));
    entries.put("app/Text.class", "no class file".getBytes(StandardCharsets.UTF_8));
    entries.put("lib/broken.jar", new byte[] {1, 2, 3});
    entries.put("app/Main.class", main());
    Path jar = Files.write(folder.resolve("mixed.jar"), jar(entries));

    assertThat(run("scan", jar.toString(), "no-such.jar", "a:b")).isEqualTo(1);
    assertThat(out.toString()).startsWith(jar + ": 2 sites in 3 classes, 3 files not read\n");
    assertThat(err.toString())
        .isEqualTo(
            ("arenal scan: cannot read: artifact=no-such.jar, reason=no such file, nor coordinates"
                    + " (expected a class file, a jar, a folder, or"
                    + " GROUP:ARTIFACT[:PACKAGING[:CLASSIFIER]]:VERSION)\n"
                    + "arenal scan: cannot read: artifact=a:b, reason=no such file, nor coordinates"
                    + " (expected a class file, a jar, a folder, or"
                    + " GROUP:ARTIFACT[:PACKAGING[:CLASSIFIER]]:VERSION)\n"
                    + "arenal scan: cannot read: artifact=%1$s, entry=app/Half.class, reason=not a"
                    + " class file: sizeBytes=9 (expected at least 10)\n"
                    + "arenal scan: cannot read: artifact=%1$s, entry=app/Text.class, reason=not a"
                    + " class file: firstBytes=0x6e6f2063 (expected 0xcafebabe)\n"
                    + "arenal scan: cannot read: artifact=%1$s, entry=lib/broken.jar, reason=not an"
                    + " archive\n")
                .formatted(jar));
  }

  /** A download that was cut off: its directory is missing, its first entries are there. */
  @Test
  void archiveWithoutItsEnd_isReadAsFarAsItGoes() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("app/Main.class", main());
    entries.put("app/Rest.class", main());
    byte[] whole = jar(entries);
    Path jar = Files.write(folder.resolve("cut.jar"), Arrays.copyOf(whole, whole.length * 2 / 3));

    assertThat(run("scan", "--totals", jar.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("cut.jar      2 ");
    assertThat(err.toString())
        .startsWith(
            "arenal scan: cannot read: artifact=" + jar + ", reason=zip END header not found\n");
  }

  /** Whose rest would be copied for nothing: a few kilobytes can be many gigabytes. */
  @Test
  void nestedFileThatIsNoArchive_isRefusedByItsFirstBytes() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      text.append(i);
    }
    byte[] bytes = jar(Map.of("a.jar", text.toString().getBytes(StandardCharsets.US_ASCII)));
    byte[] damage = new byte[1000]; // what reads so far says so
    new Random(1).nextBytes(damage);
    System.arraycopy(damage, 0, bytes, bytes.length / 2, damage.length);
    Path jar = Files.write(folder.resolve("outer.jar"), bytes);
    assertThat(run("scan", jar.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "arenal scan: cannot read: artifact=%s, entry=a.jar, reason=not an archive\n"
                .formatted(jar));
  }

  /** Of a jar in a jar that is no larger than a picture, and would fill the disk. */
  @Test
  void archiveThatUnpacksWithoutEnd_isLeftOff() throws IOException {
    byte[] zeros = new byte[80 << 20];
    byte[] start = jar(Map.of());
    System.arraycopy(start, 0, zeros, 0, start.length);
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("a.jar", zeros);
    entries.put("app/Main.class", main());
    Path jar = Files.write(folder.resolve("outer.jar"), jar(entries));
    assertThat(run("scan", "--totals", jar.toString(), folder.toString())).isEqualTo(1);
    String reason =
        ("reason=too much comes out of it, the rest is not read: unpackedBytes>%d (expected at most"
                + " 100 times its size and 64 MiB)\n")
            .formatted((64 << 20) + 100 * Files.size(jar));
    assertThat(err.toString())
        .isEqualTo(
            "arenal scan: cannot read: artifact=%s, %s".formatted(jar, reason)
                + "arenal scan: cannot read: artifact=%s, entry=outer.jar, %s"
                    .formatted(folder, reason));
  }

  /** As Spring Boot makes them: a script in front of the archive. */
  @Test
  void jarThatIsAScriptToo_isRead() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes("#!/bin/sh\nexec java -jar \"$0\"\n".getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(jar(Map.of("app/Main.class", main())));
    Path inner = Files.write(folder.resolve("app.jar"), bytes.toByteArray());
    Path outer =
        Files.write(folder.resolve("all.zip"), jar(Map.of("app.jar", bytes.toByteArray())));
    Path script = Files.writeString(folder.resolve("app.sh"), "#!/bin/sh\n");
    assertThat(run("scan", "--totals", inner.toString(), outer.toString())).isZero();
    assertThat(out.toString()).contains("app.jar      2 ", "all.zip      2 ");
    assertThat(run("scan", script.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "arenal scan: cannot read: artifact=%s, reason=neither a class file nor a jar (expected"
                    .formatted(script)
                + " one of them, or a folder)\n");
  }

  /** A class loader sees one of them. */
  @Test
  void entriesWithTheSameName_areOne() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("app/Main.class", main());
    entries.put("app/Mein.class", main());
    String bytes = new String(jar(entries), StandardCharsets.ISO_8859_1);
    Path jar =
        Files.writeString(
            folder.resolve("twice.jar"),
            bytes.replace("app/Mein.class", "app/Main.class"),
            StandardCharsets.ISO_8859_1);
    assertThat(run("scan", jar.toString())).isZero();
    assertThat(out.toString()).startsWith(jar + ": 2 sites in 1 class\n");
  }

  @Test
  void pipeInAFolder_isNotWaitedFor() throws Exception {
    Path pipe = folder.resolve("Main.class");
    assumeTrue(new ProcessBuilder("mkfifo", "" + pipe).start().waitFor() == 0, "it has pipes");
    int exitCode =
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> run("scan", folder.toString()));
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "arenal scan: cannot read: artifact=%s, entry=Main.class, reason=not a file\n"
                .formatted(folder));
  }

  /** A terminal would do what they say: another line, another colour, nothing left. */
  @Test
  void controlCharactersOfNames_areQuestionMarks() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("a\n\u001b[2J\u202e/Main.class", main());
    entries.put("\u001b[2J.class", new byte[] {1});
    Path jar = Files.write(folder.resolve("a.jar"), jar(entries));
    assertThat(run("scan", jar.toString())).isEqualTo(1);
    assertThat(out.toString())
        .contains("\n  returned            app.Main  open  10  a??[2J?/Main.class\n");
    assertThat(err.toString())
        .isEqualTo(
            ("arenal scan: cannot read: artifact=%s, entry=?[2J.class, reason=not a class file:"
                    + " sizeBytes=1 (expected at least 10)\n")
                .formatted(jar));
  }

  @Test
  void nothingToScan_isAWrongCommandLine() {
    assertThat(run("scan")).isEqualTo(2);
    assertThat(err.toString()).startsWith("Missing required parameter: 'ARTIFACT'\n");
  }

  @Test
  void unwritableJson_isRefusedBeforeAnythingIsRead() {
    assertThat(run("scan", "--json", "/no/such/folder/x.json", classes.toString())).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .isEqualTo(
            "arenal scan: cannot write: file=/no/such/folder/x.json, reason=no such folder"
                + " (expected a folder that can be written to and room for a few MiB; free some or"
                + " choose another place)\n");
  }

  private static byte[] main() throws IOException {
    return Files.readAllBytes(classes.resolve("app/Main.class"));
  }

  private static byte[] jar(Map<String, byte[]> entries) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private int run(String... words) {
    return Commands.run(out, err, List.of(), words);
  }
}
