package dev.arenal.lab.trace;

/**
 * What is known of a recording before its first event.
 *
 * @param jvmVersion the version of the recorded JVM
 */
public record TraceHeader(String jvmVersion) {}
