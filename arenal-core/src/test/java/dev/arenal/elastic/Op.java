package dev.arenal.elastic;

/**
 * One step of a {@link Program}. Numbers are taken modulo what is there, so that a program stays
 * meaningful when steps before this one are left out.
 */
record Op(Kind kind, int target, long first, long second) {
  /** The action of a step; see {@link ProgramRunner} for the meaning of the numbers. */
  enum Kind {
    /** Space, growth (plus 4: shared, plus 8: without a name), nothing. */
    OPEN,
    /** Arena, size in bytes, alignment in bytes. */
    ALLOCATE,
    /** Arena, size, alignment, of which one is impossible. */
    ALLOCATE_BAD,
    /** Arena, block. */
    FREE,
    /** Arena, block: given back, and then again. */
    FREE_TWICE,
    /** Arena, block: the first half, the whole, the second half. */
    FREE_PARTS,
    /** Arena, other arena, its block. */
    FREE_FOREIGN,
    /** Arena, block, shape: something that no arena has handed out. */
    FREE_WRONG,
    /** Arena, block: to a reference and back. */
    REFERENCE,
    /** Arena. */
    CLOSE,
    /** Arena. */
    RESET,
    /** Space, size in bytes, how: plus 1: huge pages, plus 2: page by page. */
    PRETOUCH,
    /** Space. */
    TRIM,
    /** Space. */
    VERIFY
  }

  String text() {
    return kind + " " + target + " " + first + " " + second;
  }

  static Op parse(String line) {
    String[] words = line.strip().split("\\s+", -1);
    return new Op(
        Kind.valueOf(words[0]),
        Integer.parseInt(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]));
  }
}
