/** One buffer at a time under JMH: allocated, touched, and freed by the same or another thread. */
@NullMarked
package dev.arenal.lab.roundtrip;

import org.jspecify.annotations.NullMarked;
