/** What to pretouch and how, and what came of it; who owns the memory carries it out. */
@NullMarked
package dev.arenal.pretouch;

import org.jspecify.annotations.NullMarked;
