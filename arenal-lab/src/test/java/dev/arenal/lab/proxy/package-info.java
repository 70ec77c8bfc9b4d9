@NullMarked
package dev.arenal.lab.proxy;

import org.jspecify.annotations.NullMarked;
