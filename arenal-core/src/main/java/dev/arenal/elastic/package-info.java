/** Elastic spaces and the arenas of owners they open. */
@NullMarked
package dev.arenal.elastic;

import org.jspecify.annotations.NullMarked;
