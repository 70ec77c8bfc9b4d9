/**
 * Recording: runs a Java program with HotSpot's metaspace log on and turns the log into a trace.
 *
 * <pre>
 *   the JVM --log--> LogPipe -> LogDrain -> MetaspaceLog -> MetaspaceHistory -> TraceWriter
 *                   (FIFO)     (lines)    (grammar)       (the owners)
 * </pre>
 */
@NullMarked
package dev.arenal.lab.record;

import org.jspecify.annotations.NullMarked;
