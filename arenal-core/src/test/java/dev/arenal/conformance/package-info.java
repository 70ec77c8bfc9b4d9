/** The promises of every arena, as tests that take any. */
@NullMarked
package dev.arenal.conformance;

import org.jspecify.annotations.NullMarked;
