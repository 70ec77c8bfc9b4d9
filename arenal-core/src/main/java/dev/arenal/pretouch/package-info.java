/** What to pretouch and how, and its outcome; the owner of the memory carries it out. */
@NullMarked
package dev.arenal.pretouch;

import org.jspecify.annotations.NullMarked;
