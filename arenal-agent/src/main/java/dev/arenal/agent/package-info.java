/** The way in: what the JVM calls when it finds the agent. */
@NullMarked
package dev.arenal.agent;

import org.jspecify.annotations.NullMarked;
