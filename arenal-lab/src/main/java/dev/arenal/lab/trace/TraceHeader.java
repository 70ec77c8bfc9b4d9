package dev.arenal.lab.trace;

/**
 * The facts of a recording that are known before its first event.
 *
 * @param jvmVersion the version of the recorded JVM
 */
public record TraceHeader(String jvmVersion) {}
