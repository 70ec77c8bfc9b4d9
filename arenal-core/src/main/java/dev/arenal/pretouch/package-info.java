/** The settings of a pretouch, and its outcome; the owner of the memory carries it out. */
@NullMarked
package dev.arenal.pretouch;

import org.jspecify.annotations.NullMarked;
