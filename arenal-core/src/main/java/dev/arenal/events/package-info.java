/** Events of Java Flight Recorder. */
@NullMarked
package dev.arenal.events;

import org.jspecify.annotations.NullMarked;
