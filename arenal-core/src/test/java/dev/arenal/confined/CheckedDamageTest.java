package dev.arenal.confined;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.arenal.os.NativeMemory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Filter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damage that the checked arena finds, and its messages. */
@Timeout(60)
@SuppressWarnings("restricted") // to do the damage
final class CheckedDamageTest {
  private static final Logger LOGGER = Logger.getLogger("dev.arenal");
  private static final int QUARANTINE_COUNT_ARENAS = 4096;

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler = new Recorder(records);

  @BeforeEach
  void listen() {
    Quarantine.releaseAll(); // what other tests left
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    Quarantine.releaseAll();
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  // ---- red zones ----

  @ParameterizedTest
  @CsvSource({
    "10, 10, behind, 0x1",
    "10, 41, behind, 0x1",
    "0, 0, behind, 0xff",
    "64, 64, behind, 0x80",
    "100, -1, before, 0x1",
    "100, -32, before, 0x0",
    "5000, 5000, behind, 0x2",
  })
  void overrun_isReportedByClose(int sizeBytes, long offset, String where, String found) {
    Arena arena = CheckedArena.open();
    var _ = arena.allocate(30).fill((byte) 1);
    MemorySegment block = arena.allocate(sizeBytes).fill((byte) 1);
    var _ = arena.allocate(30).fill((byte) 1);
    write(block.address() + offset, Integer.decode(found));
    assertThatThrownBy(arena::close)
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "native memory was written "
                + where
                + " a block: blockSizeBytes="
                + sizeBytes
                + ", offset="
                + offset
                + ", found="
                + found
                + "; expected offsets from 0 to blockSizeBytes - 1, see the cause for the arena")
        .cause()
        .hasMessage("the arena was opened here")
        .satisfies(opened ->
            assertThat(opened.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("overrun_isReportedByClose")));
    assertThat(arena.scope().isAlive()).isFalse();
    assertThatThrownBy(arena::close).hasMessage("Already closed");
  }

  @Test
  void overrun_beforeABlockWithAlignment_isReported() {
    Arena arena = CheckedArena.open();
    MemorySegment block = arena.allocate(8, 4096);
    write(block.address() - 4096, 3);
    assertThatThrownBy(arena::close)
        .hasMessageContaining("written before a block: blockSizeBytes=8, offset=-4096, found=0x3;");
  }

  @Test
  void overrunOfSeveralBlocks_isReportedForTheFirst() {
    Arena arena = CheckedArena.open();
    MemorySegment first = arena.allocate(8);
    MemorySegment second = arena.allocate(9);
    write(second.address() + 9, 1);
    write(first.address() + 8, 1);
    assertThatThrownBy(arena::close).hasMessageContaining("behind a block: blockSizeBytes=8,");
  }

  @Test
  void writesInsideOfBlocks_areNotReported() {
    for (int size = 0; size < 300; size++) {
      try (Arena arena = CheckedArena.open()) {
        assertThat(arena.allocate(size, 1L << (size % 9)).fill((byte) 0).byteSize())
            .isEqualTo(size);
        var _ = arena.allocate(size).fill((byte) 0xff);
      }
    }
    Quarantine.releaseAll();
    assertThat(records).isEmpty();
  }

  @Test
  void overrunAndACleanupThatThrows_areBothTold() {
    Arena arena = CheckedArena.open();
    MemorySegment block = arena.allocate(8);
    IllegalCallerException thrown = new IllegalCallerException("by a cleanup");
    failAtClose(arena, thrown);
    write(block.address() + 8, 1);
    Throwable damage = catchThrowable(arena::close);
    assertThat(damage)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("native memory was written behind a block: blockSizeBytes=8,");
    assertThat(damage.getSuppressed()).containsExactly(thrown);
  }

  @Test
  void cleanupThatThrows_isPassedOn_andBlocksArePoisoned() {
    Arena arena = CheckedArena.open();
    MemorySegment block = arena.allocate(8);
    IllegalCallerException thrown = new IllegalCallerException("by a cleanup");
    failAtClose(arena, thrown);
    assertThatThrownBy(arena::close).isSameAs(thrown).hasNoSuppressedExceptions();
    assertPoisoned(block, 8);
  }

  @Test
  void overrun_inTryWithResources_isSuppressedByWhatTheBodyThrew() {
    IllegalCallerException thrown = new IllegalCallerException("by the body");
    Throwable caught =
        catchThrowable(() -> {
          try (Arena arena = CheckedArena.open()) {
            write(arena.allocate(8).address() + 8, 1);
            throw thrown;
          }
        });
    assertThat(caught).isSameAs(thrown);
    assertThat(caught.getSuppressed()).hasSize(1).hasOnlyElementsOfType(AssertionError.class);
  }

  // ---- poison and quarantine ----

  @Test
  void closedBlocks_arePoison() {
    List<MemorySegment> blocks = new ArrayList<>();
    try (Arena arena = CheckedArena.open()) {
      for (int size : new int[] {0, 1, 8, 100, 10_000}) {
        blocks.add(arena.allocate(size).fill((byte) 1));
      }
    }
    blocks.forEach(block -> assertPoisoned(block, block.byteSize()));
    Quarantine.releaseAll();
    assertThat(records).isEmpty();
  }

  @Test
  void writeAfterClose_isReportedByTheQuarantine() {
    long address;
    try (Arena arena = CheckedArena.open()) {
      var _ = arena.allocate(24);
      address = arena.allocate(40).address();
    }
    write(address + 7, 0xAB);
    assertThat(records).isEmpty();
    Quarantine.releaseAll();
    assertThat(records).hasSize(1);
    LogRecord record = records.getFirst();
    assertThat(record.getLevel()).isEqualTo(Level.SEVERE);
    assertThat(record.getMessage())
        .isEqualTo(
            "native memory was written after its arena was closed: blockSizeBytes=40, offset=7,"
                + " found=0xab; an address was kept, see the stack for the arena");
    assertThat(record.getThrown()).hasMessage("the arena was opened here");
    assertThat(record.getThrown().getStackTrace())
        .anyMatch(
            frame -> frame.getMethodName().equals("writeAfterClose_isReportedByTheQuarantine"));
    Quarantine.releaseAll();
    assertThat(records).hasSize(1);
  }

  @Test
  void quarantine_keepsSoManyArenas() {
    long address;
    try (Arena arena = CheckedArena.open()) {
      address = arena.allocate(8).address();
    }
    write(address, 1);
    for (int i = 1; i < QUARANTINE_COUNT_ARENAS; i++) {
      closeWith(1);
    }
    assertThat(records).isEmpty();
    assertPoisoned(NativeMemory.segment(address + 1, 7), 7);
    CheckedArena.open().close(); // has nothing to be kept
    assertThat(records).isEmpty();
    closeWith(1);
    assertThat(records).hasSize(1);
  }

  @Test
  void quarantine_keepsSoManyBytes() {
    long address;
    try (Arena arena = CheckedArena.open()) {
      address = arena.allocate(8).address();
    }
    write(address, 1);
    closeWith(33 << 20);
    assertThat(records).isEmpty();
    closeWith(33 << 20);
    assertThat(records).hasSize(1);
  }

  @Test
  void quarantine_letsGoAtOnceWhatIsTooLargeForIt() {
    closeWith(65 << 20);
    closeWith(8);
    Quarantine.releaseAll();
    assertThat(records).isEmpty();
  }

  // ---- refused ----

  @Test
  void close_fromAnotherThread_changesNothing() throws Exception {
    Arena arena = CheckedArena.open();
    MemorySegment block = arena.allocate(8).fill((byte) 1);
    assertThat(Bodies.thrownElsewhere(arena::close)).isInstanceOf(WrongThreadException.class);
    assertThat(Bodies.thrownElsewhere(() -> arena.allocate(8)))
        .isInstanceOf(WrongThreadException.class);
    assertThat(block.get(JAVA_BYTE, 7)).isEqualTo((byte) 1);
    arena.close();
  }

  /** Asked first whether it may: nothing is allocated for an arena that is closed. */
  @Test
  void allocate_afterClose_isRefusedBeforeMemoryIsAskedFor() {
    Arena arena = CheckedArena.open();
    arena.close();
    assertThatThrownBy(() -> arena.allocate(1L << 50))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
  }

  // ---- a logger that fails ----

  @Test
  void writeAfterClose_isPrintedWhereTheLoggerFails() {
    long address;
    try (Arena arena = CheckedArena.open()) {
      address = arena.allocate(40).address();
    }
    write(address + 7, 0xAB);
    Filter failing =
        _ -> {
          throw new IllegalCallerException("by the logger");
        };
    PrintStream usual = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, UTF_8));
    LOGGER.setFilter(failing);
    try {
      Quarantine.releaseAll();
    } finally {
      LOGGER.setFilter(null);
      System.setErr(usual);
    }
    assertThat(printed.toString(UTF_8))
        .isEqualTo(
            "dev.arenal: native memory was written after its arena was closed: blockSizeBytes=40,"
                + " offset=7, found=0xab; an address was kept, see the stack for the arena (and the"
                + " logger failed: java.lang.IllegalCallerException: by the logger)\n");
  }

  private static void closeWith(long sizeBytes) {
    try (Arena arena = CheckedArena.open()) {
      var _ = arena.allocate(sizeBytes);
    }
  }

  private static void failAtClose(Arena arena, RuntimeException thrown) {
    var _ =
        MemorySegment.NULL.reinterpret(
            1,
            arena,
            _ -> {
              throw thrown;
            });
  }

  private static void write(long address, int value) {
    NativeMemory.segment(address, 1).set(JAVA_BYTE, 0, (byte) value);
  }

  private static void assertPoisoned(MemorySegment closed, long sizeBytes) {
    MemorySegment memory = NativeMemory.segment(closed.address(), sizeBytes);
    assertThat(CheckedArena.firstOther(memory, 0, sizeBytes, (byte) 0xDE)).isEqualTo(-1);
  }

  private static final class Recorder extends Handler {
    private final List<LogRecord> records;

    Recorder(List<LogRecord> records) {
      this.records = records;
    }

    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
