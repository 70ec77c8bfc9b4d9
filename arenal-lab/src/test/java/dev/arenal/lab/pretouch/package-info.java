/** Tests of starts that make sure of their memory, of their figures and claims. */
@NullMarked
package dev.arenal.lab.pretouch;

import org.jspecify.annotations.NullMarked;
