package dev.arenal.bench.buffers;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Map;

/** Heaps in the manner of malloc, by the names of their functions. */
enum HeapKind {
  MALLOC("", "malloc", "free", "malloc"),
  JEMALLOC("ARENAL_JEMALLOC", "malloc", "free", "mallctl"),
  MIMALLOC("ARENAL_MIMALLOC", "mi_malloc", "mi_free", "mi_malloc");

  final String malloc;
  final String free;

  /** Names the library; empty for the C library's heap. */
  private final String variable;

  /** A function that no other library has. */
  private final String proof;

  HeapKind(String variable, String malloc, String free, String proof) {
    this.variable = variable;
    this.malloc = malloc;
    this.free = free;
    this.proof = proof;
  }

  /**
   * Its functions and no other's: the linker's default lookup finds the C library's malloc even
   * where another one is preloaded.
   *
   * @param environment where the library is, by its variable
   */
  @SuppressWarnings("restricted") // heaps that are not Java's
  SymbolLookup functions(Map<String, String> environment) {
    if (variable.isEmpty()) {
      return Linker.nativeLinker().defaultLookup();
    }
    String file = environment.getOrDefault(variable, "");
    if (file.isEmpty()) {
      throw new IllegalStateException(
          "library is not named: variable=%s (expected the path of the library)"
              .formatted(variable));
    }
    SymbolLookup functions = SymbolLookup.libraryLookup(Path.of(file), Arena.global());
    if (functions.find(proof).isEmpty()) {
      throw new IllegalStateException(
          "not the library it should be: %s=%s, missingFunction=%s"
              .formatted(variable, file, proof));
    }
    return functions;
  }
}
