/** The error that all packages throw when native memory is refused. */
@NullMarked
package dev.arenal;

import org.jspecify.annotations.NullMarked;
