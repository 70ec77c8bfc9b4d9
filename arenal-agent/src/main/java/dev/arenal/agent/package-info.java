/** The entry point: called by the JVM when it finds the agent. */
@NullMarked
package dev.arenal.agent;

import org.jspecify.annotations.NullMarked;
