/** The error that all packages have in common. */
@NullMarked
package dev.arenal;

import org.jspecify.annotations.NullMarked;
