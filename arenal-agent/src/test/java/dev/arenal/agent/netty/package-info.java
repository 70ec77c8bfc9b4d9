@NullMarked
package dev.arenal.agent.netty;

import org.jspecify.annotations.NullMarked;
