/** What every arena promises, as tests that take any. */
@NullMarked
package dev.arenal.conformance;

import org.jspecify.annotations.NullMarked;
