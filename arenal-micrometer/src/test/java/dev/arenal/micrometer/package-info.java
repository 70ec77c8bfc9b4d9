/** Tests of the binder, against what a Prometheus server would scrape. */
@NullMarked
package dev.arenal.micrometer;

import org.jspecify.annotations.NullMarked;
