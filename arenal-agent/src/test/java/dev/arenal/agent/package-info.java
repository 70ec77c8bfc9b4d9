/** The agent, in JVMs of its own. */
@NullMarked
package dev.arenal.agent;

import org.jspecify.annotations.NullMarked;
