/** Elastic spaces, and the arenas that they open for owners of memory. */
@NullMarked
package dev.arenal.elastic;

import org.jspecify.annotations.NullMarked;
