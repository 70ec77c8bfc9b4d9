/** Medium pages refilled by one thread or by all of them: the load, its runs, and claims. */
@NullMarked
package dev.arenal.lab.medium;

import org.jspecify.annotations.NullMarked;
