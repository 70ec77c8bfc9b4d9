/**
 * Address space, its granules and which of them are committed, and the count that a budget keeps.
 */
@NullMarked
package dev.arenal.reserve;

import org.jspecify.annotations.NullMarked;
