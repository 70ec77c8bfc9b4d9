/** Puts other factories behind call sites while classes are loaded. */
@NullMarked
package dev.arenal.agent.rewrite;

import org.jspecify.annotations.NullMarked;
