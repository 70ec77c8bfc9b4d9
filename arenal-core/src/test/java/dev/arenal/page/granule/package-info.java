/** Tests of the package. */
@NullMarked
package dev.arenal.page.granule;

import org.jspecify.annotations.NullMarked;
