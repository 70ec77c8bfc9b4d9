package dev.arenal.agent.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.function.UnaryOperator;

/** Replaces texts of a class file's constant pool, and leaves every other byte as it is. */
final class ConstantTexts {
  private static final int COUNT_AT = 8;
  private static final int CONSTANTS_AT = 10;

  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;

  private ConstantTexts() {}

  /** Texts are shown byte by byte, which is right for all that have ASCII letters only. */
  static void replace(
      byte[] classFile, UnaryOperator<String> replacement, ByteArrayOutputStream out) {
    out.write(classFile, 0, CONSTANTS_AT);
    int at = CONSTANTS_AT;
    int count = u2(classFile, COUNT_AT);
    for (int i = 1; i < count; i++) {
      int tag = classFile[at];
      int end = at + constantBytes(classFile, at);
      if (tag == UTF8) {
        byte[] text =
            replacement
                .apply(new String(classFile, at + 3, end - at - 3, ISO_8859_1))
                .getBytes(ISO_8859_1);
        out.write(UTF8);
        out.write(text.length >> Byte.SIZE);
        out.write(text.length);
        out.writeBytes(text);
      } else {
        out.write(classFile, at, end - at);
        if (tag == LONG || tag == DOUBLE) {
          i++;
        }
      }
      at = end;
    }
    out.write(classFile, at, classFile.length - at);
  }

  private static int constantBytes(byte[] classFile, int at) {
    int tag = classFile[at];
    return switch (tag) {
      case UTF8 -> 3 + u2(classFile, at + 1);
      case 7, 8, 16, 19, 20 -> 3;
      case 15 -> 4;
      case 3, 4, 9, 10, 11, 12, 17, 18 -> 5;
      case LONG, DOUBLE -> 9;
      default -> throw new IllegalArgumentException("no such constant: tag=" + tag);
    };
  }

  private static int u2(byte[] bytes, int at) {
    return (bytes[at] & 0xFF) << Byte.SIZE | (bytes[at + 1] & 0xFF);
  }
}
