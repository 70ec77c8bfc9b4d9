/**
 * Where pages come from: granules of 2 MiB, reserved once, committed against a budget and a
 * capacity, cached, moved together, and given back. Knows no buffers.
 */
@NullMarked
package dev.arenal.page.granule;

import org.jspecify.annotations.NullMarked;
