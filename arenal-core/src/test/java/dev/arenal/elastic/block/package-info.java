/** Tests of the package. */
@NullMarked
package dev.arenal.elastic.block;

import org.jspecify.annotations.NullMarked;
