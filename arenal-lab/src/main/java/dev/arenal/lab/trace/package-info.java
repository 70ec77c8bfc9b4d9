/**
 * Traces: the metaspace history of one JVM run, as a file.
 *
 * <p>A recording writes through {@link dev.arenal.lab.trace.TraceWriter}; a replay reads with
 * {@link dev.arenal.lab.trace.Traces#read}. Both sides speak {@link
 * dev.arenal.lab.trace.TraceVisitor}. The file format is described in {@code docs/trace-format.md}.
 */
@NullMarked
package dev.arenal.lab.trace;

import org.jspecify.annotations.NullMarked;
