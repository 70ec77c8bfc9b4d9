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
    if (!matcher.matches()) {
      throw refusal(text);
    }
    long unit =
        switch (matcher.group(2)) {
          case "k" -> 1L << 10;
          case "m" -> 1L << 20;
          case "g" -> 1L << 30;
          default -> 1;
        };
    try {
      long sizeBytes = Math.multiplyExact(Long.parseLong(matcher.group(1)), unit);
      if (sizeBytes > MOST_BYTES) {
        throw refusal(text);
      }
      return sizeBytes;
    } catch (ArithmeticException e) {
      throw refusal(text);
    }
  }

  private static TypeConversionException refusal(String text) {
    return new TypeConversionException(
        "not a size: %s (expected bytes, or a number with k, m or g such as 512m)".formatted(text));
  }
}
