package dev.arenal.soak;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Kinds of faults that a soak mixes in. */
enum SoakFault {
  /** Calls near the end of the stack. */
  STACK,
  /** Objects that the Java heap has no room for. */
  HEAP,
  /** Cleanup actions, reclaimers and listeners that call back, throw and block. */
  CALLBACKS,
  /** A kernel that refuses, and others that take and leave parts of the budget. */
  MACHINE;

  /** The faults that this run mixes in, all by default, in the form of {@link #parse}. */
  static String wanted() {
    return System.getProperty("soak.faults", "stack,heap,callbacks,machine");
  }

  /** From "stack,machine"; "none" is the empty set. */
  static Set<SoakFault> parse(String text) {
    Set<SoakFault> faults = EnumSet.noneOf(SoakFault.class);
    if (!text.equals("none")) {
      for (String word : text.split(",", -1)) {
        faults.add(valueOf(word.strip().toUpperCase(Locale.ROOT)));
      }
    }
    return faults;
  }
}
