package dev.arenal.lab.heap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;

/**
 * The functions of one library, and of no other.
 *
 * <p>The linker's default lookup finds the C library's malloc even where another one is preloaded:
 * it asks the C library by its name. So a heap is asked for its functions itself.
 *
 * <p>The calls that are measured use {@link Linker.Option#critical}: without the change of thread
 * state a call is several nanoseconds shorter. A long stay in the kernel holds up a safepoint, but
 * experiments have few of these. So every heap gets the fastest call that Java has.
 */
@SuppressWarnings("restricted") // Calling heaps that are not Java's is what this class is for.
record HeapSymbols(String library, SymbolLookup lookup) {
  private static final Linker LINKER = Linker.nativeLinker();

  /** The C library that this JVM runs on. */
  static HeapSymbols ofCLibrary() {
    return new HeapSymbols("the C library", LINKER.defaultLookup());
  }

  /** The library of that file, opened unless it is already. */
  static HeapSymbols ofFile(Path file) throws IOException {
    try {
      return new HeapSymbols(file.toString(), SymbolLookup.libraryLookup(file, Arena.global()));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "cannot open the library: library=%s (expected a shared library for this machine)"
              .formatted(file),
          e);
    }
  }

  /** A measured function that takes sizes and addresses, and returns an address. */
  MethodHandle measured(String name, int argumentCount) throws IOException {
    return measured(name, FunctionDescriptor.of(ValueLayout.JAVA_LONG, longs(argumentCount)));
  }

  /** The same for one that gives back what is at an address. */
  MethodHandle measuredFree(String name) throws IOException {
    return measured(name, FunctionDescriptor.ofVoid(longs(1)));
  }

  private MethodHandle measured(String name, FunctionDescriptor descriptor) throws IOException {
    return find(name, descriptor, Linker.Option.critical(false)).orElseThrow(() -> missing(name));
  }

  private static MemoryLayout[] longs(int count) {
    return Collections.nCopies(count, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
  }

  /** Any other function that the library must have. */
  MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments)
      throws IOException {
    return find(name, FunctionDescriptor.of(result, arguments)).orElseThrow(() -> missing(name));
  }

  /** The same for one without a result. */
  MethodHandle procedure(String name, MemoryLayout... arguments) throws IOException {
    return find(name, FunctionDescriptor.ofVoid(arguments)).orElseThrow(() -> missing(name));
  }

  /** Where a function is. */
  long addressOf(String name) throws IOException {
    return lookup.find(name).map(MemorySegment::address).orElseThrow(() -> missing(name));
  }

  /** A function that not every version of the library has. */
  Optional<MethodHandle> find(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return lookup.find(name).map(symbol -> LINKER.downcallHandle(symbol, descriptor, options));
  }

  private IOException missing(String name) {
    return new IOException(
        "not the library it should be: library=%s, missingFunction=%s".formatted(library, name));
  }
}
