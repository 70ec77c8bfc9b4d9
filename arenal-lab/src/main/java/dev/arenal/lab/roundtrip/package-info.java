/**
 * A buffer's way there and back under JMH: who hands it out, on how many threads, and who frees it.
 */
@NullMarked
package dev.arenal.lab.roundtrip;

import org.jspecify.annotations.NullMarked;
