package dev.arenal.lab.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MetaspaceLogTest {
  private static final String BIRTH_25 =
      """
      [7] Arena @0xa0 (non-class arena): born.
      [7] Arena @0xb0 (class arena): born.
      [7] CLMS @0x90 : born (nonclass arena: 0xa0, class arena: 0xb0.
      """;

  @Test
  void linesThatTheJvmHasDropped_areCounted() {
    LoggedEvents events =
        new LoggedEvents(
            """
            [7]   1552 messages dropped due to async logging
            [9] 100275 messages dropped due to async logging
            [9]  - commit_granule_bytes: 65536.
            """);
    assertThat(events.droppedLineCount()).isEqualTo(101_827);
    assertThat(events.unknownLineCount()).isZero();
  }

  @Test
  void jdk25_blocksLeftoversAndEarlyFrees() {
    LoggedEvents events =
        new LoggedEvents(
            BIRTH_25
                + """
                [7] Arena @0xa0 (non-class arena): requested 41 words.
                [7] Arena @0xa0 (non-class arena): returning block (@0x404000 word size 41) taken \
                from arena, wastage block (@0x401fe8 word size 3)
                [7] Arena @0xa0 (non-class arena): added to fbl: block (@0x401fe8 word size 3), \
                (now: 1, 3).
                [7] Metaspace::allocate: type 10 return 0x404000.
                [7] Arena @0xa0 (non-class arena): requested 2 words.
                [7] Arena @0xa0 (non-class arena): returning block (@0x401fe8 word size 2) with \
                wastage block (@0x401ff8 word size 1) - taken from fbl (now: 0, 0).
                [7] Arena @0xa0 (non-class arena): returning block (@0x401fe8 word size 2) taken \
                from fbl, wastage block (@0x401ff8 word size 1)
                [7] Arena @0xa0 (non-class arena): added to fbl: block (@0x401ff8 word size 1), \
                (now: 1, 1).
                [7] Arena @0xb0 (class arena): requested 72 words.
                [7] Arena @0xb0 (class arena): returning block (@0x041800 word size 72) taken \
                from arena, wastage block (@0x040748 word size 23)
                [7] Arena @0xa0 (non-class arena): added to fbl: block (@0x040748 word size 23), \
                (now: 2, 24).
                [7] Arena @0xa0 (non-class arena): requested 8 words.
                [7] Arena @0xa0 (non-class arena): allocation failed, returned null.
                [9] Arena @0xa0 (non-class arena): added to fbl: block (@0x404000 word size 41), \
                (now: 3, 65).
                [7] CLMS @0x90 : dies.
                [7] Arena @0xb0 (class arena): returned 2 chunks, total capacity 95 words.
                [7] Arena @0xb0 (class arena): : dies.
                [7] Arena @0xa0 (non-class arena): : dies.
                """);
    assertThat(events.lines())
        .containsExactly(
            "birth 0 NON_CLASS loader 0",
            "birth 1 CLASS loader 0",
            "allocate 0 41 block 0",
            "allocate 0 2 block 1",
            "allocate 1 72 block 2",
            "deallocate 0 block 0",
            "death 1",
            "death 0");
    assertThat(events.anomalyCount()).isZero();
    assertThat(events.unknownLineCount()).isZero();
  }

  @Test
  void jdk25_blockInLeftoverOfTheClassSpace_isTakenBackFromItsOwner() {
    LoggedEvents events =
        new LoggedEvents(
            BIRTH_25
                + """
                [7] Arena @0xa0 (non-class arena): requested 3 words.
                [7] Arena @0xa0 (non-class arena): returning block (@0x040748 word size 3) taken \
                from fbl, no wastage
                [7] Arena @0xb0 (class arena): added to fbl: block (@0x040748 word size 3), \
                (now: 1, 3).
                """);
    assertThat(events.lines()).endsWith("allocate 0 3 block 0", "deallocate 0 block 0");
    assertThat(events.anomalyCount()).isZero();
  }

  @Test
  void jdk17_blocksAndEarlyFrees() {
    LoggedEvents events =
        new LoggedEvents(
            """
            [7] Arena @0xa0 (non-class sm): : born.
            [7] Arena @0xb0 (class sm): : born.
            [7] CLMS @0x90 : born (nonclass arena: 0xa0, class arena: 0xb0.
            [7] Arena @0xa0 (non-class sm): requested 5 words.
            [7] Arena @0xa0 (non-class sm): returning 0x1000.
            [7] Metaspace::allocate: type 5 return 0x1000.
            [7] Arena @0xa0 (non-class sm): deallocating 0x1000, word size: 5.
            [7] Arena @0xa0 (non-class sm): requested 1 words.
            [7] Arena @0xa0 (non-class sm): taken from fbl (now: 1, 3).
            [8] Arena @0xb0 (class sm): requested 60 words.
            [7] Metaspace::allocate: type 7 return 0x1008.
            [8] Arena @0xb0 (class sm): returning 0x2000.
            [8] Metaspace::allocate: type 0 return 0x2000.
            [7] Arena @0xa0 (non-class sm): requested 900 words.
            [7] Arena @0xa0 (non-class sm): allocation failed, returned NULL.
            [7] Arena @0xa0 (non-class sm): deallocating 0x1008, word size: 2.
            [7] Arena @0xa0 (non-class sm): : dies.
            """);
    assertThat(events.lines())
        .containsExactly(
            "birth 0 NON_CLASS loader 0",
            "birth 1 CLASS loader 0",
            "allocate 0 5 block 0",
            "deallocate 0 block 0",
            "allocate 0 1 block 1",
            "allocate 1 60 block 2",
            "deallocate 0 block 1",
            "death 0");
    assertThat(events.anomalyCount()).isZero();
    assertThat(events.unknownLineCount()).isZero();
  }

  @Test
  void committedBytes_areAddedUpPerSpaceAndToldBeforeTheNextEvent() {
    LoggedEvents events =
        new LoggedEvents(
            """
            [7]  - commit_granule_bytes: 65536.
            [7] VsListNode @0x10 base 0x31000000 : born (word_size 134217728).
            [7] VsListNode @0x20 base 0x7f0000000000 : born (word_size 8388608).
            [7] VsList @0x1 (non-class-space): added new node (now: 1).
            [7] VsListNode @0x10 base 0x31000000 : ... committed 8192 additional words.
            [7] VsListNode @0x20 base 0x7f0000000000 : ... committed 8192 additional words.
            [7] VsListNode @0x20 base 0x7f0000000000 : ... already fully committed.
            [7] VsListNode @0x20 base 0x7f0000000000 : ... cannot commit (limit).
            """
                + BIRTH_25
                + """
                [7] ChkMgr @0x2 (non-class-space): : reclaiming memory...
                [7] VsListNode @0x20 base 0x7f0000000000 : ... uncommitted 8192 words.
                [7] VsListNode @0x20 base 0x7f0000000000 : ... already fully uncommitted.
                [7] ChkMgr @0x2 (class-space): : reclaiming memory...
                [7] VsListNode @0x10 base 0x31000000 : dies.
                """);
    assertThat(events.lines())
        .containsExactly(
            "committed NON_CLASS 65536",
            "committed CLASS 65536",
            "birth 0 NON_CLASS loader 0",
            "birth 1 CLASS loader 0",
            "mark purge",
            "committed NON_CLASS 0",
            "committed CLASS 0");
    assertThat(events.commitGranuleBytes()).isEqualTo(65536);
    assertThat(events.anomalyCount()).isZero();
  }

  @Test
  void withoutClassSpace_aLoaderHasOneArena() {
    LoggedEvents events =
        new LoggedEvents(
            """
            [7] Arena @0xa0 (non-class sm): : born.
            [7] CLMS @0x90 : born (nonclass arena: 0xa0.
            [7] Arena @0xc0 (non-class sm): : born.
            [7] CLMS @0x91 : born (nonclass arena: 0xc0.
            """);
    assertThat(events.lines())
        .containsExactly("birth 0 NON_CLASS loader 0", "birth 1 NON_CLASS loader 1");
  }

  @Test
  void reusedAddress_isAnotherArena() {
    LoggedEvents events =
        new LoggedEvents(
            BIRTH_25
                + "[7] Arena @0xa0 (non-class arena): : dies.\n"
                + "[7] Arena @0xb0 (class arena): : dies.\n"
                + BIRTH_25);
    assertThat(events.lines())
        .containsExactly(
            "birth 0 NON_CLASS loader 0",
            "birth 1 CLASS loader 0",
            "death 0",
            "death 1",
            "birth 2 NON_CLASS loader 1",
            "birth 3 CLASS loader 1");
  }

  /** Its sibling does not look for blocks in it any more. */
  @Test
  void arenaWhoseDeathIsMissing_diesWhereAnotherIsBorn() {
    LoggedEvents events =
        new LoggedEvents(
            BIRTH_25
                + """
                [7] Arena @0xa0 (non-class arena): requested 4 words.
                [7] Arena @0xa0 (non-class arena): returning block (@0x40 word size 4) taken from \
                arena, no wastage
                [7] Arena @0xa0 (non-class arena): born.
                [7] Arena @0xb0 (class arena): added to fbl: block (@0x40 word size 4), (now: 1)
                """);
    assertThat(events.lines())
        .containsExactly(
            "birth 0 NON_CLASS loader 0",
            "birth 1 CLASS loader 0",
            "allocate 0 4 block 0",
            "death 0");
    assertThat(events.anomalyCount()).isEqualTo(2);
  }

  @Test
  void linesThatDoNotFit_areCountedAndChangeNothing() {
    LoggedEvents events =
        new LoggedEvents(
            BIRTH_25
                + """
                [7] Arena @0xff (non-class arena): requested 4 words.
                [7] Arena @0xff (non-class arena): returning block (@0x1 word size 4) taken from \
                arena, no wastage
                [7] Arena @0xa0 (non-class arena): returning block (@0x1 word size 4) taken from \
                arena, no wastage
                [7] Arena @0xff (non-class arena): : dies.
                [7] Arena @0xa0 (non-class arena): added to fbl: block (@0x9 word size 1), (now: 1)
                [7] VsListNode @0x99 base 0x1 : ... committed 8192 additional words.
                """);
    assertThat(events.lines())
        .containsExactly("birth 0 NON_CLASS loader 0", "birth 1 CLASS loader 0");
    assertThat(events.anomalyCount()).isEqualTo(5);
    assertThat(events.unknownLineCount()).isZero();
  }

  @Test
  void linesOfUnknownForm_areCounted() {
    LoggedEvents events =
        new LoggedEvents(
            """
            no thread
            [x] Arena @0xa0 (non-class arena): born.
            [7] Arena @0xa0 (non-class arena): reincarnated.
            [7] Arena @0xa0 (other arena): born.
            [7] Arena @0xa0 (non-class arena): returning block (@0x1 word size 4) found
            [99999999999999999999] Splitting chunk
            [7   ] Splitting chunk: of whatever form
            [7] a line about something else
            """);
    assertThat(events.lines()).isEmpty();
    assertThat(events.unknownLineCount()).isEqualTo(6);
  }

  /** Real excerpts: all lines about the nodes, and about one loader from its birth to its death. */
  @ParameterizedTest
  @ValueSource(strings = {"jdk17.log", "jdk25.log"})
  void realLog_isUnderstoodWhole(String name) throws IOException {
    String text = read(name);
    LoggedEvents events = new LoggedEvents(text);

    assertThat(events.anomalyCount()).isZero();
    assertThat(events.unknownLineCount()).isZero();
    assertThat(events.lines()).filteredOn(line -> line.startsWith("birth")).hasSize(2);
    assertThat(events.lines()).filteredOn(line -> line.startsWith("death")).hasSize(2);
    // Not nothing on both sides.
    assertThat(events.lines()).anyMatch(line -> line.startsWith("allocate"));
    assertThat(lastCommitted(events, "committed NON_CLASS ")).isPositive();
    assertThat(events.lines())
        .filteredOn(line -> line.startsWith("allocate"))
        .hasSize((int) sum(text, "(Metaspace::allocate)", 0));
    assertThat(sum(String.join("\n", events.lines()), "allocate \\d+ (\\d+)", 1))
        .isEqualTo(sum(text, "requested (\\d+) words", 1));
    assertThat(
            lastCommitted(events, "committed NON_CLASS ")
                + lastCommitted(events, "committed CLASS "))
        .isEqualTo(
            8
                * (sum(text, "\\.\\.\\. committed (\\d+)", 1)
                    - sum(text, "\\.\\.\\. uncommitted (\\d+)", 1)));
  }

  private static long lastCommitted(LoggedEvents events, String prefix) {
    return events.lines().stream()
        .filter(line -> line.startsWith(prefix))
        .mapToLong(line -> Long.parseLong(line.substring(prefix.length())))
        .reduce(0, (_, last) -> last);
  }

  /** Adds up the numbers that the pattern finds; with group 0 it counts the finds. */
  private static long sum(String text, String regex, int group) {
    Matcher matcher = Pattern.compile(regex).matcher(text);
    long sum = 0;
    while (matcher.find()) {
      sum += group == 0 ? 1 : Long.parseLong(matcher.group(group));
    }
    return sum;
  }

  private static String read(String name) throws IOException {
    try (InputStream in = MetaspaceLogTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
