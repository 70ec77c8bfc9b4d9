package dev.arenal.lab.scan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kind of a file by its first bytes; names lie. */
enum FileKind {
  CLASS,
  ARCHIVE,
  OTHER;

  private static final int CLASS_MAGIC = 0xCAFEBABE;

  /** An entry, and the end of an archive without any. */
  private static final int ZIP_ENTRY = 0x504B0304;

  private static final int ZIP_END = 0x504B0506;

  /** A JMOD is an archive behind a word of its own. */
  private static final int JMOD_MAGIC = 0x4A4D0100;

  static FileKind of(Path file) throws IOException {
    int magic = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (byte part : in.readNBytes(Integer.BYTES)) {
        magic = (magic << Byte.SIZE) | Byte.toUnsignedInt(part);
      }
    }
    return switch (magic) {
      case CLASS_MAGIC -> CLASS;
      case ZIP_ENTRY, ZIP_END, JMOD_MAGIC -> ARCHIVE;
      default -> OTHER;
    };
  }
}
