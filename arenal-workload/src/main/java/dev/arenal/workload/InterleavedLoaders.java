package dev.arenal.workload;

import org.objectweb.asm.Opcodes;

/** The program behind the embedded traces: generations of class loaders that load interleaved. */
public final class InterleavedLoaders {
  private InterleavedLoaders() {}

  /** Runs the workload. */
  public static void main(String[] args) {
    System.out.println("interleaved-loaders: class file version " + Opcodes.V11);
  }
}
