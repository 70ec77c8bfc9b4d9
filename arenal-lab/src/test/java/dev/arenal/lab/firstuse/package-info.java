@NullMarked
package dev.arenal.lab.firstuse;

import org.jspecify.annotations.NullMarked;
