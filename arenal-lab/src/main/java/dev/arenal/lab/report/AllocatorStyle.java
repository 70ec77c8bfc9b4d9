package dev.arenal.lab.report;

import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.result.Labelled;

/**
 * How each allocator is drawn, the same in every chart of every report. A family has a colour, its
 * members differ in their pattern.
 */
final class AllocatorStyle {
  private AllocatorStyle() {}

  static SeriesStyle of(Labelled allocator) {
    return switch (allocator.label()) {
      case "elastic", "arenal" -> SeriesStyle.ONE;
      case "elastic-64k", "arenal-zeroed", "arenal-agent" -> SeriesStyle.ONE_DASHED;
      case "elastic-16k", "arenal-short" -> SeriesStyle.ONE_DOTTED;
      case "elastic-owner", "elastic-kept" -> SeriesStyle.ONE_DASHDOT;
      case "hotspot", "netty-adaptive" -> SeriesStyle.TWO;
      case "netty-pooled" -> SeriesStyle.TWO_DASHED;
      case "malloc" -> SeriesStyle.THREE;
      case "malloc-trim" -> SeriesStyle.THREE_DASHED;
      case "jemalloc" -> SeriesStyle.FOUR;
      case "jemalloc-decay" -> SeriesStyle.FOUR_DASHED;
      case "mimalloc" -> SeriesStyle.FIVE;
      case "mimalloc-owner" -> SeriesStyle.FIVE_DASHED;
      case "jdk-confined" -> SeriesStyle.SIX;
      case "jdk-shared" -> SeriesStyle.SIX_DASHED;
      default -> SeriesStyle.SIX_DOTTED;
    };
  }
}
