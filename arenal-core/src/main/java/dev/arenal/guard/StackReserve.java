package dev.arenal.guard;

/**
 * Makes sure of the stack before a critical section is entered: what the JDK's reserved stack areas
 * (JEP 270) do for {@code java.util.concurrent}, for a library outside of {@code java.base}.
 *
 * <p>A {@link StackOverflowError} is thrown where a method is entered. In the middle of a critical
 * section it leaves a structure half changed. So an operation that is about to change something
 * descends first, as deep as it may have to go, and comes back: if the stack does not reach, the
 * error is thrown there, and nothing has changed.
 *
 * <p>A compiled frame has room for the arguments of the largest call in it, and for the locals. So a
 * method with one call of 254 arguments, which are put into locals first, takes four kilobytes,
 * whether or not it makes that call. C2 leaves calls out that were never made; hence the call is
 * made once in a while. The interpreter makes sure of the locals only, two kilobytes. Measured by a
 * recursion that asks in each frame: 24 KiB in the interpreter and 40 KiB where compiled are left.
 * Where that is not enough, {@link Damage} is.
 */
public final class StackReserve {
  private static final int FRAMES = 10;

  /** The call with many arguments is made once in so many turns; a power of two. */
  private static final int TURNS_A_CALL = 64;

  /**
   * One counter for each of sixteen groups of threads, a cache line apart; increments may be lost.
   */
  private static final int[] TURNS = new int[16 * 16];

  static {
    // Enough to be compiled soon.
    for (int i = 0; i < 300; i++) {
      ensure();
    }
  }

  private StackReserve() {}

  /**
   * Returns if a critical section may be entered: if 24 KiB of stack or more are left. Costs some
   * 50 ns, so it is not for a fast path.
   *
   * @throws StackOverflowError if they are not
   */
  public static void ensure() {
    int group = ((int) Thread.currentThread().threadId() & 15) << 4;
    descend(FRAMES, TURNS[group]++);
  }

  private static void descend(int frames, int turn) {
    if (frames > 1) {
      descend(frames - 1, turn);
    } else if ((turn & (TURNS_A_CALL - 1)) == 0) {
      var _ =
          wide(
              turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn, turn,
              // With a try inside, the arguments before it are stored in locals meanwhile: 2 KiB of
              // them in each frame of the interpreter.
              switch (turn) {
                default -> {
                  try {
                    yield turn;
                  } catch (RuntimeException e) {
                    throw e;
                  }
                }
              });
    }
  }

  /** Too long to be inlined: then the arguments would take no room. */
  @SuppressWarnings("unused")
  private static int wide(
      int a0,
      int a1,
      int a2,
      int a3,
      int a4,
      int a5,
      int a6,
      int a7,
      int a8,
      int a9,
      int a10,
      int a11,
      int a12,
      int a13,
      int a14,
      int a15,
      int a16,
      int a17,
      int a18,
      int a19,
      int a20,
      int a21,
      int a22,
      int a23,
      int a24,
      int a25,
      int a26,
      int a27,
      int a28,
      int a29,
      int a30,
      int a31,
      int a32,
      int a33,
      int a34,
      int a35,
      int a36,
      int a37,
      int a38,
      int a39,
      int a40,
      int a41,
      int a42,
      int a43,
      int a44,
      int a45,
      int a46,
      int a47,
      int a48,
      int a49,
      int a50,
      int a51,
      int a52,
      int a53,
      int a54,
      int a55,
      int a56,
      int a57,
      int a58,
      int a59,
      int a60,
      int a61,
      int a62,
      int a63,
      int a64,
      int a65,
      int a66,
      int a67,
      int a68,
      int a69,
      int a70,
      int a71,
      int a72,
      int a73,
      int a74,
      int a75,
      int a76,
      int a77,
      int a78,
      int a79,
      int a80,
      int a81,
      int a82,
      int a83,
      int a84,
      int a85,
      int a86,
      int a87,
      int a88,
      int a89,
      int a90,
      int a91,
      int a92,
      int a93,
      int a94,
      int a95,
      int a96,
      int a97,
      int a98,
      int a99,
      int a100,
      int a101,
      int a102,
      int a103,
      int a104,
      int a105,
      int a106,
      int a107,
      int a108,
      int a109,
      int a110,
      int a111,
      int a112,
      int a113,
      int a114,
      int a115,
      int a116,
      int a117,
      int a118,
      int a119,
      int a120,
      int a121,
      int a122,
      int a123,
      int a124,
      int a125,
      int a126,
      int a127,
      int a128,
      int a129,
      int a130,
      int a131,
      int a132,
      int a133,
      int a134,
      int a135,
      int a136,
      int a137,
      int a138,
      int a139,
      int a140,
      int a141,
      int a142,
      int a143,
      int a144,
      int a145,
      int a146,
      int a147,
      int a148,
      int a149,
      int a150,
      int a151,
      int a152,
      int a153,
      int a154,
      int a155,
      int a156,
      int a157,
      int a158,
      int a159,
      int a160,
      int a161,
      int a162,
      int a163,
      int a164,
      int a165,
      int a166,
      int a167,
      int a168,
      int a169,
      int a170,
      int a171,
      int a172,
      int a173,
      int a174,
      int a175,
      int a176,
      int a177,
      int a178,
      int a179,
      int a180,
      int a181,
      int a182,
      int a183,
      int a184,
      int a185,
      int a186,
      int a187,
      int a188,
      int a189,
      int a190,
      int a191,
      int a192,
      int a193,
      int a194,
      int a195,
      int a196,
      int a197,
      int a198,
      int a199,
      int a200,
      int a201,
      int a202,
      int a203,
      int a204,
      int a205,
      int a206,
      int a207,
      int a208,
      int a209,
      int a210,
      int a211,
      int a212,
      int a213,
      int a214,
      int a215,
      int a216,
      int a217,
      int a218,
      int a219,
      int a220,
      int a221,
      int a222,
      int a223,
      int a224,
      int a225,
      int a226,
      int a227,
      int a228,
      int a229,
      int a230,
      int a231,
      int a232,
      int a233,
      int a234,
      int a235,
      int a236,
      int a237,
      int a238,
      int a239,
      int a240,
      int a241,
      int a242,
      int a243,
      int a244,
      int a245,
      int a246,
      int a247,
      int a248,
      int a249,
      int a250,
      int a251,
      int a252,
      int a253) {
    int first = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 + a15;
    return first + a16 + a17 + a18 + a19 + a20 + a21 + a22 + a23 + a24 + a25 + a26 + a27 + a28;
  }
}
