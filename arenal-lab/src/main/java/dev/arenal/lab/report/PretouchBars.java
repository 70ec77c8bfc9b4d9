package dev.arenal.lab.report;

import dev.arenal.lab.pretouch.Collector;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchPlan;
import dev.arenal.lab.pretouch.PretouchResult;
import java.util.List;
import java.util.Locale;

/** The cost of touching in one look: a bar of seconds per GiB for each who does it. */
final class PretouchBars {
  private static final double PERCENT = 100;

  private PretouchBars() {}

  /** The picture of the largest size; empty if nobody touched. */
  static String figure(PretouchMeasurement measurement) {
    List<PretouchResult> results =
        measurement.of(measurement.largestBytes()).stream()
            .filter(result -> measurement.touchSeconds(result).isPresent())
            .toList();
    double longest =
        results.stream().mapToDouble(result -> perGib(measurement, result)).max().orElse(0);
    if (longest <= 0) {
      return "";
    }
    StringBuilder rows = new StringBuilder();
    results.forEach(result -> rows.append(bar(measurement, result, longest)));
    return """
    <figure class="bars named"><figcaption><b>Seconds per GiB</b> <span>that touching takes,\
     measured with %s; of a JVM what it takes longer to start</span></figcaption>
    <ul>
    %s</ul>
    <p class="note">Hatched: with transparent huge pages asked for.</p>
    </figure>
    """
        .formatted(PretouchPlan.sizeText(measurement.largestBytes()), rows);
  }

  private static String bar(
      PretouchMeasurement measurement, PretouchResult result, double longest) {
    double seconds = perGib(measurement, result);
    return """
    <li><span class="name">%s</span><span class="track"><span class="bar %s%s"\
     style="width:%s%%"></span></span><span class="value">%s</span></li>
    """
        .formatted(
            Markup.escape(result.subject().label()),
            style(result).cssClasses(),
            result.subject().hugePages() ? " hatched" : "",
            String.format(Locale.ROOT, "%.1f", Math.max(0, seconds) / longest * PERCENT),
            String.format(Locale.ROOT, "%.3f", seconds));
  }

  private static double perGib(PretouchMeasurement measurement, PretouchResult result) {
    return measurement.touchSeconds(result).orElse(0) / result.gibibytes();
  }

  /** Arenal as in all charts of the report. */
  private static SeriesStyle style(PretouchResult result) {
    Collector collector = result.subject().collector();
    return switch (collector) {
      case SERIAL -> SeriesStyle.THREE;
      case PARALLEL -> SeriesStyle.FOUR;
      case G1 -> SeriesStyle.TWO;
      case ZGC -> SeriesStyle.FIVE;
      case null ->
          switch (result.subject().kind()) {
            case ARENAL -> SeriesStyle.ONE;
            case JVM, KERNEL -> SeriesStyle.SIX;
          };
    };
  }
}
