/** Of results of all experiments: how they are written and read, and claims of them. */
@NullMarked
package dev.arenal.lab.result;

import org.jspecify.annotations.NullMarked;
