/** A program that uses the adapter: its frames are places of birth. */
@org.jspecify.annotations.NullMarked
package com.example;
