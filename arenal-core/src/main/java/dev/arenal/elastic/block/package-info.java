/**
 * Blocks of an arena that were given back before the arena is closed: where they are, and how
 * large.
 */
@NullMarked
package dev.arenal.elastic.block;

import org.jspecify.annotations.NullMarked;
