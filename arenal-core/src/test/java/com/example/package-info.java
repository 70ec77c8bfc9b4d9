/** A program that uses the library: its frames are places of birth. */
@org.jspecify.annotations.NullMarked
package com.example;
