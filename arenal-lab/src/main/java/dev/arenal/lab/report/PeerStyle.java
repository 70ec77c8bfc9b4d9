package dev.arenal.lab.report;

import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.figure.SeriesStyle;

/**
 * How each allocator of buffers is drawn: ours, malloc, jemalloc and mimalloc as in every chart of
 * every report.
 */
final class PeerStyle {
  private PeerStyle() {}

  static SeriesStyle of(PeerKind kind) {
    return switch (kind) {
      case ARENAL -> SeriesStyle.ONE;
      case ARENAL_ZEROED -> SeriesStyle.ONE_DASHED;
      case NETTY_ADAPTIVE -> SeriesStyle.TWO;
      case NETTY_POOLED -> SeriesStyle.TWO_DASHED;
      case MALLOC -> SeriesStyle.THREE;
      case JEMALLOC -> SeriesStyle.FOUR;
      case MIMALLOC -> SeriesStyle.FIVE;
      case NONE -> SeriesStyle.SIX_DOTTED;
    };
  }
}
