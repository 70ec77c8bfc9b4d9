/** Tests of the trace format: what goes in comes out, and nothing else is accepted. */
@NullMarked
package dev.arenal.lab.trace;

import org.jspecify.annotations.NullMarked;
