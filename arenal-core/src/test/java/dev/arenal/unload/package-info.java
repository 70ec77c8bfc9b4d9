/** The library in a class loader of its own, which goes when it is no longer used. */
@NullMarked
package dev.arenal.unload;

import org.jspecify.annotations.NullMarked;
