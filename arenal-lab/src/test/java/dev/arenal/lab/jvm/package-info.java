/** Tests of running real JVMs; scripts stand in for those that misbehave. */
@NullMarked
package dev.arenal.lab.jvm;

import org.jspecify.annotations.NullMarked;
