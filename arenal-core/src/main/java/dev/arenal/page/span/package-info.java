/**
 * Pages as bits: which units and slots of a page are used, free or discarded, and the best hole of
 * many pages. Knows no heaps, no locks and no buffers.
 */
@NullMarked
package dev.arenal.page.span;

import org.jspecify.annotations.NullMarked;
