package dev.arenal.lab.scan;

import dev.arenal.lab.figure.Plain;

/**
 * Something that could not be read.
 *
 * @param entry its path inside the artifact; empty for the artifact itself
 */
public record Problem(String artifact, String entry, String reason) {
  /** One line for a person. */
  public String text() {
    return "cannot read: artifact="
        + artifact
        + (entry.isEmpty() ? "" : ", entry=" + Plain.printable(entry))
        + ", reason="
        + reason;
  }
}
