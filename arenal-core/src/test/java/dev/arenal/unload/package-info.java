/** The library in a class loader of its own, which goes when nobody uses it any more. */
@NullMarked
package dev.arenal.unload;

import org.jspecify.annotations.NullMarked;
