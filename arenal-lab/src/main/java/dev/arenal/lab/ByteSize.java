package dev.arenal.lab;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A size on a command line: bytes, or with k, m or g behind it as in {@code -Xmx}. */
final class ByteSize implements ITypeConverter<Long> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmg]?)");

  /** Sums and small multiples of it are still numbers. */
  private static final long MOST_BYTES = 1L << 56;

  @Override
  public Long convert(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      int shift =
          switch (matcher.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
          };
      long count = Long.parseLong(matcher.group(1));
      if (count <= MOST_BYTES >> shift) {
        return count << shift;
      }
    }
    throw new TypeConversionException(
        "not a size: %s (expected bytes, or a number with k, m or g such as 512m)".formatted(text));
  }
}
