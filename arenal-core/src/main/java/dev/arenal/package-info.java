/** The error of all packages for native memory that is refused. */
@NullMarked
package dev.arenal;

import org.jspecify.annotations.NullMarked;
