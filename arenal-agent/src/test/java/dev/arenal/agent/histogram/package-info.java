@NullMarked
package dev.arenal.agent.histogram;

import org.jspecify.annotations.NullMarked;
