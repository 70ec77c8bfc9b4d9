/** House rules that no tool of the shelf checks, for the files of all modules. */
@NullMarked
package dev.arenal.tidy;

import org.jspecify.annotations.NullMarked;
