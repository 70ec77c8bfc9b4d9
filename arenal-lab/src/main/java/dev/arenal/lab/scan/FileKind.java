package dev.arenal.lab.scan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kind of a file by its first bytes; names lie. */
enum FileKind {
  CLASS,
  ARCHIVE,
  /** Behind it there may be an archive: a jar that starts its program by itself. */
  SCRIPT,
  OTHER;

  private static final int CLASS_MAGIC = 0xCAFEBABE;

  /** An entry, and the end of an archive without any. */
  private static final int ZIP_ENTRY = 0x504B0304;

  private static final int ZIP_END = 0x504B0506;

  /** A JMOD is an archive behind a word of its own. */
  private static final int JMOD_MAGIC = 0x4A4D0100;

  /** The first two bytes of a script. */
  private static final int SCRIPT_MAGIC = 0x2321;

  /** So many tell it. */
  static final int BYTES = Integer.BYTES;

  static FileKind of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in.readNBytes(BYTES));
    }
  }

  /** Of the first bytes, all that there are. */
  static FileKind of(byte[] first) {
    int magic = 0;
    for (byte part : first) {
      magic = (magic << Byte.SIZE) | Byte.toUnsignedInt(part);
    }
    return switch (magic) {
      case CLASS_MAGIC -> CLASS;
      case ZIP_ENTRY, ZIP_END, JMOD_MAGIC -> ARCHIVE;
      default -> magic >>> Short.SIZE == SCRIPT_MAGIC ? SCRIPT : OTHER;
    };
  }
}
