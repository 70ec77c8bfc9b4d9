/** The methods that rewritten call sites call. */
@NullMarked
package dev.arenal.agent.runtime;

import org.jspecify.annotations.NullMarked;
