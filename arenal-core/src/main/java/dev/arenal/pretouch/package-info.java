/** The settings and the report of a pretouch. The owner of the memory carries it out. */
@NullMarked
package dev.arenal.pretouch;

import org.jspecify.annotations.NullMarked;
