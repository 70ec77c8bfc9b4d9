package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report in the layout of {@code jcmd VM.metaspace}; docs/reports.md explains it line by line.
 */
final class ReportText {
  /** Wide enough for {@code 1023.99 GB}. */
  private static final int SIZE_COLUMNS = 10;

  private static final int MAX_NAME_COLUMNS = 40;
  private static final String UNNAMED = "(unnamed)";

  /** By the number of times that 1024 goes in: KB to GB. */
  private static final String UNITS = " KMG";

  private static final int LARGEST_UNIT = 3;

  private final SpaceReport report;
  private final StringBuilder out = new StringBuilder(4096);

  ReportText(SpaceReport report) {
    this.report = report;
  }

  String text() {
    headline();
    if (report.details().contains(ReportDetail.ARENAS)) {
      arenas();
    }
    if (report.details().contains(ReportDetail.GROWTHS)) {
      growths();
    }
    total();
    if (report.details().contains(ReportDetail.CHUNK_LEVELS)) {
      out.append("\nUsage by chunk level:\n");
      chunks(report.chunksInUse());
    }
    virtualSpace();
    if (report.details().contains(ReportDetail.NODES)) {
      nodes();
    }
    out.append("\nChunk freelists:\n");
    chunks(report.freeChunks());
    waste();
    metadata();
    statistics();
    settings();
    return out.toString();
  }

  private void headline() {
    out.append(padRight(printable(report.settings().name()), 16));
    out.append(" used ").append(report.usedBytes() >>> 10);
    out.append("K, committed ").append(report.committedBytes() >>> 10);
    out.append("K, reserved ").append(report.reservedBytes() >>> 10).append("K\n");
  }

  // ---- arenas ----

  private void arenas() {
    out.append("\nUsage per arena:\n\n");
    int nameColumns = UNNAMED.length();
    for (SpaceReport.ArenaUsage arena : report.arenas()) {
      nameColumns = Math.max(nameColumns, nameOf(arena).length());
    }
    nameColumns = Math.min(nameColumns, MAX_NAME_COLUMNS);
    int number = 0;
    for (SpaceReport.ArenaUsage arena : report.arenas()) {
      out.append(padLeft(Integer.toString(++number), 4)).append(": ");
      out.append(padRight(nameOf(arena), nameColumns));
      out.append(arena.shared() ? " shared   " : arena.ended() ? " ended    " : " confined ");
      out.append(padRight(arena.growth().name().toLowerCase(Locale.ROOT), 8)).append(": ");
      usage(arena.usage());
    }
    if (number == 0) {
      out.append("   (none)\n");
    }
  }

  private static String nameOf(SpaceReport.ArenaUsage arena) {
    String name = arena.name();
    return name == null ? UNNAMED : printable(name);
  }

  private void growths() {
    out.append("\nUsage per growth:\n");
    for (Map.Entry<ArenaGrowth, SpaceReport.Usage> entry : report.byGrowth().entrySet()) {
      SpaceReport.Usage usage = entry.getValue();
      out.append('\n').append(entry.getKey()).append(" - ").append(arenas(usage)).append(":\n  ");
      usage(usage);
    }
  }

  private void total() {
    out.append("\nTotal Usage - ").append(arenas(report.total())).append(":\n  ");
    usage(report.total());
  }

  private static String arenas(SpaceReport.Usage usage) {
    return usage.arenaCount() + (usage.arenaCount() == 1 ? " arena" : " arenas");
  }

  private void usage(SpaceReport.Usage usage) {
    long committedBytes = usage.committedBytes();
    out.append(padLeft(Long.toString(usage.chunkCount()), 5));
    out.append(usage.chunkCount() == 1 ? " chunk, " : " chunks, ");
    size(usage.capacityBytes()).append(" capacity, ");
    share(committedBytes, usage.capacityBytes()).append(" committed, ");
    share(usage.usedBytes(), committedBytes).append(" used, ");
    share(usage.freeBytes(), committedBytes).append(" free, ");
    share(usage.wasteBytes(), committedBytes).append(" waste, deallocated: ");
    out.append(usage.deallocatedBlockCount()).append(" blocks with ");
    out.append(human(usage.deallocatedBytes()));
    if (usage.deallocatedCommittedBytes() != usage.deallocatedBytes()) {
      out.append(" (").append(human(usage.deallocatedCommittedBytes())).append(" committed)");
    }
    out.append('\n');
  }

  private StringBuilder size(long sizeBytes) {
    return out.append(padLeft(human(sizeBytes), SIZE_COLUMNS));
  }

  private StringBuilder share(long partBytes, long wholeBytes) {
    return size(partBytes).append(" (").append(percent(partBytes, wholeBytes)).append(')');
  }

  // ---- chunks and address space ----

  private void virtualSpace() {
    out.append("\nVirtual space:\n  ");
    size(report.reservedBytes()).append(" reserved, ");
    share(report.committedBytes(), report.reservedBytes()).append(" committed, ");
    out.append(report.nodeCount()).append(report.nodeCount() == 1 ? " node.\n" : " nodes.\n");
  }

  private void nodes() {
    out.append("\nVirtual space list:\n");
    int number = 0;
    for (SpaceReport.NodeUsage node : report.nodes()) {
      long inRootsBytes = Math.min(node.reservedBytes(), node.rootMaps().size() * Chunk.ROOT_BYTES);
      out.append("- node #").append(number++).append(": base ");
      address(node.baseAddress()).append(", reserved=").append(human(node.reservedBytes()));
      out.append(", committed=").append(human(node.committedBytes()));
      out.append(" (").append(percent(node.committedBytes(), node.reservedBytes()));
      out.append("), used=").append(human(inRootsBytes));
      out.append(" (").append(percent(inRootsBytes, node.reservedBytes())).append(")\n");
      long at = node.baseAddress();
      int root = 0;
      for (String map : node.rootMaps()) {
        out.append(padLeft(Integer.toString(root++), 4)).append(':');
        address(at).append(": ").append(map).append('\n');
        at += Chunk.ROOT_BYTES;
      }
    }
  }

  private StringBuilder address(long address) {
    String digits = Long.toHexString(address);
    return out.append("0x").repeat('0', 16 - digits.length()).append(digits);
  }

  private void chunks(List<SpaceReport.Chunks> levels) {
    long count = 0;
    long capacityBytes = 0;
    long committedBytes = 0;
    for (SpaceReport.Chunks level : levels) {
      chunks(padLeft(level.level(), 4), level);
      count += level.count();
      capacityBytes += level.capacityBytes();
      committedBytes += level.committedBytes();
    }
    chunks("Total", new SpaceReport.Chunks("", count, capacityBytes, committedBytes));
  }

  private void chunks(String title, SpaceReport.Chunks level) {
    out.append(padLeft(title, 5)).append(": ");
    if (level.count() == 0) {
      out.append("(none)\n");
      return;
    }
    out.append(padLeft(Long.toString(level.count()), 5)).append(", capacity=");
    size(level.capacityBytes()).append(", committed=");
    share(level.committedBytes(), level.capacityBytes()).append('\n');
  }

  // ---- waste ----

  /** Committed memory that is not used, by reason; the sum is all of it. */
  private void waste() {
    SpaceReport.Usage total = report.total();
    out.append("\nWaste (unused committed space): (percentages refer to total committed size ");
    out.append(human(report.committedBytes())).append("):\n");
    waste("Waste in chunks in use", total.wasteBytes()).append('\n');
    long restBytes = total.freeBytes() - total.deallocatedCommittedBytes();
    waste("Free in chunks in use", restBytes).append('\n');
    waste("In free chunks", report.freeChunksBytes()).append('\n');
    if (report.inTransitBytes() != 0) {
      waste("On the way to the OS", report.inTransitBytes()).append('\n');
    }
    waste("Deallocated from chunks in use", total.deallocatedCommittedBytes());
    out.append(" (").append(total.deallocatedBlockCount()).append(" blocks)\n");
    waste("-total-", report.freeBytes() + report.wasteBytes() + report.cachedBytes()).append('\n');
  }

  private StringBuilder waste(String title, long sizeBytes) {
    out.append(padLeft(title, 30)).append(": ");
    return share(sizeBytes, report.committedBytes());
  }

  private void metadata() {
    long chunkCount = report.total().chunkCount();
    for (SpaceReport.Chunks level : report.freeChunks()) {
      chunkCount += level.count();
    }
    out.append("\nchunk metadata: ").append(chunkCount).append(" chunks, ");
    out.append(human(report.metadataBytes())).append(".\n");
  }

  // ---- the rest ----

  private void statistics() {
    out.append("\nInternal statistics:\n\n");
    report
        .statistics()
        .forEach((name, value) -> {
          out.append(name).append(": ").append(value.longValue()).append(".\n");
        });
  }

  private void settings() {
    SpaceReport.Settings settings = report.settings();
    boolean limited = settings.budgetLimitBytes() != Long.MAX_VALUE;
    out.append("\nSettings:\n");
    setting("Name", printable(settings.name()));
    setting(
        "Size",
        settings.fixedSizeBytes() == 0 ? "growable" : "fixed, " + human(settings.fixedSizeBytes()));
    setting("Budget", printable(settings.budgetName()));
    setting("Budget limit", limited ? human(settings.budgetLimitBytes()) : "unlimited");
    setting("Budget committed", human(settings.budgetCommittedBytes()));
    setting("Commit mode", settings.commitMode().name());
    setting("Reclaim policy", settings.reclaimPolicy().name());
    setting("Reserve", human(settings.reserveBytes()));
    setting("Uncommit delay", delay(settings.uncommitDelay()));
    out.append(" - commit_granule_bytes: ").append(settings.granuleBytes()).append(".\n");
    out.append(" - enlarge_chunks_in_place: 1.\n");
  }

  private void setting(String title, String value) {
    out.append(title).append(": ").append(value).append('\n');
  }

  /** {@code 1m30s} is what people write; Java says {@code PT1M30S}. */
  private static String delay(Duration delay) {
    return delay.isZero() ? "none" : delay.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  // ---- sizes and shares for people to read, each as wide as the next ----

  /** A size in the largest unit of which it has one, with two decimals: {@code 4.03 MB}. */
  static String human(long sizeBytes) {
    if (sizeBytes < 1024) {
      return sizeBytes + " bytes";
    }
    int unit = Math.min((63 - Long.numberOfLeadingZeros(sizeBytes)) / 10, LARGEST_UNIT);
    long hundredths = hundredths(sizeBytes, 10 * unit);
    if (hundredths == 102_400 && unit < LARGEST_UNIT) {
      hundredths = 100; // 1024.00 KB is 1.00 MB
      unit++;
    }
    long rest = hundredths % 100;
    return hundredths / 100 + (rest < 10 ? ".0" : ".") + rest + " " + UNITS.charAt(unit) + "B";
  }

  /** The nearest number of hundredths, without overflow. */
  private static long hundredths(long sizeBytes, int shift) {
    long whole = sizeBytes >>> shift;
    long rest = sizeBytes & ((1L << shift) - 1);
    return whole * 100 + ((rest * 100 + (1L << (shift - 1))) >>> shift);
  }

  /**
   * A share in four columns: {@code 0%} and {@code 100%} are exact, what is nearly so says {@code
   * <1%} and {@code >99%}, and a share of nothing is {@code ?%}.
   */
  static String percent(long partBytes, long wholeBytes) {
    if (wholeBytes == 0) {
      return "  ?%";
    }
    if (partBytes == 0) {
      return "  0%";
    }
    if (partBytes == wholeBytes) {
      return "100%";
    }
    double percent = 100.0 * partBytes / wholeBytes;
    if (percent < 1) {
      return " <1%";
    }
    if (percent > 99 && percent < 100) {
      return ">99%";
    }
    return padLeft(Math.round(percent) + "%", 4);
  }

  static String padLeft(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  static String padRight(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /** A name of the program's choice on one line, with any content. */
  static String printable(String name) {
    StringBuilder text = null;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean breaks = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
      if (breaks) {
        text = text == null ? new StringBuilder(name) : text;
        text.setCharAt(i, '?');
      }
    }
    return text == null ? name : text.toString();
  }
}
