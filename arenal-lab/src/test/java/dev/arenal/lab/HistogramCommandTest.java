package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramData.AllocationBucket;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import dev.arenal.agent.histogram.HistogramJson;
import dev.arenal.agent.histogram.RunFacts;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistogramCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void files_areAddedUpAndShown() throws IOException {
    Path one = write("one.json", data(1000));
    Path other = write("other.json", data(3000));
    Path report = folder.resolve("report");
    assertThat(run(one.toString(), other.toString(), "--out", report.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains(
            "\narenas closed: 8,000; not closed: 4; allocations: 4,000; bytes: 200,000; average:"
                + " 25.0 B\n",
            "\n<= 15 B                    4,000  50.000%                      0   0.000%\n",
            "\nArenas by size\n              0 B  " + "█".repeat(40) + "           4,000",
            "\n          32-63 B  " + "█".repeat(40) + "           4,000  50.000%\n",
            "\n32 B         4,000   50.000 %        0    0.000 %\n",
            "\nA pool of 64 bytes would serve 100.00 % of the arenas and 100.00 % of the"
                + " allocations; one of 16,384 bytes 100.00 % and 100.00 %."
                + " -Darenal.confined.poolSizeBytes=64 sets it.\n");
    assertThat(report.resolve("report.html"))
        .content()
        .contains("<title>50 B: 4,000</title>", "Allocations that a pool would serve");
    assertThat(report.resolve("histogram.json")).exists();
  }

  @Test
  void report_isWrittenAlsoIfTheJsonCannotBe() throws IOException {
    assumeTrue(Files.exists(Path.of("/dev/full")), "the system has a device that is always full");
    Path one = write("one.json", data(1000));
    Path report = folder.resolve("report");
    assertThat(run(one.toString(), "--json", "/dev/full", "--out", report.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "arenal histogram: cannot write: file=/dev/full, reason=No space left on device"
                + " (expected a folder that can be written to and room for a few MiB; free some or"
                + " choose another place)\n");
    assertThat(out.toString()).endsWith("\nreport: " + report.resolve("report.html") + "\n");
    assertThat(report.resolve("report.html")).exists();
  }

  @Test
  void json_isOfTheSameFormAndCanBeAddedUpAgain() throws IOException {
    Path one = write("one.json", data(1000));
    Path sum = folder.resolve("sum.json");
    assertThat(run(one.toString(), one.toString(), "--json", sum.toString())).isZero();
    out.getBuffer().setLength(0);
    assertThat(run(sum.toString(), one.toString(), "--json", "-")).isZero();
    JsonNode root = new ObjectMapper().readTree(out.toString());
    assertThat(root.get("arenasClosed").longValue()).isEqualTo(6000);
    assertThat(root.get("arenasOpened").longValue()).isEqualTo(6003);
    assertThat(root.get("program").asText()).isEqualTo("app.jar");
    assertThat(root.get("recommendedPoolSizeBytes").intValue()).isEqualTo(64);
    assertThat(root.get("runs")).hasSize(2);
    assertThat(err.toString()).contains("arenas closed: 6,000; ");
  }

  @Test
  void filesOfOthersAndDamagedOnes_areRefused() throws IOException {
    Path good = write("good.json", data(1000));
    String text = Files.readString(good);
    assertRefused(
        "missing",
        null,
        "no such file: file=%s (expected a file that the agent wrote for" + " histogram=FILE)");
    String notOurs =
        "not a histogram: file=%s (expected JSON that the agent wrote for histogram=FILE)";
    assertRefused("empty", "", notOurs);
    assertRefused("text", "hello", notOurs);
    assertRefused("list", "[]", notOurs);
    assertRefused("other", "{\"format\": \"other\"}", notOurs);
    assertRefused("half", text.substring(0, text.length() / 2), notOurs);
    assertRefused("twice", text + text, notOurs);
    assertRefused("long", " ".repeat(16 << 20) + text, notOurs);
    assertRefused(
        "newer",
        text.replace("\"version\": 1", "\"version\": 2"),
        "histogram of another version: file=%s, version=2 (expected version 1, or a newer Arenal"
            + " for a newer file)");
    assertRefused(
        "colours",
        text.replace("\"version\": 1", "\"version\": \"\\u001b[2J\\n\""),
        "histogram of another version: file=%s, version=?[2J? (expected version 1, or a newer"
            + " Arenal for a newer file)");
    assertRefused(
        "negative",
        text.replace("\"arenasOpened\": 2001", "\"arenasOpened\": -2001"),
        "damaged histogram: file=%s, impossible figure: arenasOpened=-2001 (expected 0 or more)"
            + " (expected the file as it was written)");
    assertRefused(
        "changed",
        text.replace("\"bytes\": 50000,", "\"bytes\": 50001,"),
        "damaged histogram: file=%s, sum that does not fit its parts: bytes=50001, parts=50000"
            + " (expected the file as it was written)");
    assertRefused(
        "without",
        text.replace("\"pools\"", "\"puddles\""),
        "damaged histogram: file=%s, missing list: name=pools (expected the file as it was"
            + " written)");
    assertRefused(
        "fraction",
        text.replace("\"allocations\": 1000,", "\"allocations\": 0.5,"),
        "damaged histogram: file=%s, missing or not a whole number: field=allocations (expected"
            + " the file as it was written)");
  }

  @Test
  void programWithoutAllocations_hasNothingToPool() throws IOException {
    HistogramData nothing =
        HistogramData.of(
            5, 0, Collections.nCopies(64, 0L), List.of(), List.of(), pools(size -> 0L));
    assertThat(run(write("none.json", nothing).toString())).isZero();
    assertThat(out.toString())
        .endsWith(
            "\nNo closed arena allocated anything at the sites counted: there is nothing to"
                + " pool.\n");
  }

  @Test
  void programOfLargeArenas_isToldThatItIsOne() throws IOException {
    List<Bucket> large = List.of(new Bucket(16_384, 32_767, 10, 163_840));
    List<AllocationBucket> single = List.of(new AllocationBucket(1, 1, 10));
    List<Long> exact = Collections.nCopies(64, 0L);
    HistogramData fitting =
        HistogramData.of(10, 10, exact, large, single, pools(size -> size < 16_384 ? 0L : 10L));
    assertThat(run(write("fitting.json", fitting).toString())).isZero();
    assertThat(out.toString())
        .endsWith(
            "\nA pool of 16,384 bytes would serve 100.00 % of the arenas and 100.00 % of the"
                + " allocations; that is the largest there is."
                + " -Darenal.confined.poolSizeBytes=16384 sets it.\n");
    HistogramData tooLarge = HistogramData.of(10, 10, exact, large, single, pools(size -> 0L));
    assertThat(run(write("large.json", tooLarge).toString())).isZero();
    assertThat(out.toString())
        .endsWith("\nNo pool up to 16,384 bytes would serve any allocation of this program.\n");
  }

  private void assertRefused(String name, @Nullable String content, String message)
      throws IOException {
    Path file = folder.resolve(name);
    if (content != null) {
      var _ = Files.writeString(file, content);
    }
    err.getBuffer().setLength(0);
    out.getBuffer().setLength(0);
    assertThat(run(file.toString())).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("arenal histogram: " + message.formatted(file) + "\n");
    assertThat(out.toString()).isEmpty();
  }

  /** So many empty arenas, and as many with one allocation of 50 bytes. */
  private static HistogramData data(long count) {
    List<Long> exact = new ArrayList<>(Collections.nCopies(64, 0L));
    exact.set(0, count);
    exact.set(50, count);
    return HistogramData.of(
        2 * count + (count == 1000 ? 1 : 3),
        count,
        exact,
        List.<Bucket>of(),
        List.of(new AllocationBucket(1, 1, count)),
        pools(size -> size < 64 ? 0L : count).stream()
            .map(pool ->
                new PoolShare(pool.sizeBytes(), pool.allocations() + count, pool.allocations()))
            .toList());
  }

  private static List<PoolShare> pools(java.util.function.IntToLongFunction served) {
    List<PoolShare> pools = new ArrayList<>();
    for (int size = 8; size <= 16_384; size *= 2) {
      pools.add(new PoolShare(size, served.applyAsLong(size), served.applyAsLong(size)));
    }
    return pools;
  }

  private Path write(String name, HistogramData data) throws IOException {
    RunFacts facts = new RunFacts("app.jar", 1, "25", "all", Instant.EPOCH);
    return Files.writeString(folder.resolve(name), HistogramJson.text(data, facts, Instant.EPOCH));
  }

  private int run(String... words) {
    return Commands.run(out, err, List.of("histogram"), words);
  }
}
