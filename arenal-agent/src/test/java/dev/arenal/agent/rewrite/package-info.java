@NullMarked
package dev.arenal.agent.rewrite;

import org.jspecify.annotations.NullMarked;
