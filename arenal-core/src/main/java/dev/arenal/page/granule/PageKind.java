package dev.arenal.page.granule;

/** The kinds of pages. */
public enum PageKind {
  /** 2 MiB, for buffers up to 256 KiB. */
  SMALL,

  /** A power of two up to 32 MiB, for buffers up to an eighth of the largest. */
  MEDIUM,

  /** One buffer, in steps of 2 MiB. */
  LARGE
}
