package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceSpace;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A decoded program on its way from the parent to its children: decoding a trace takes longer than
 * replaying it.
 */
final class ProgramFile {
  private static final int BUFFER_BYTES = 1 << 20;

  private ProgramFile() {}

  static void write(ReplayProgram program, Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES))) {
      ArenaTable arenas = program.arenas();
      out.writeUTF(program.name());
      out.writeInt(arenas.arenaCount());
      out.writeInt(arenas.loaderCount());
      for (int arena = 0; arena < arenas.arenaCount(); arena++) {
        out.writeInt(arenas.loader(arena));
        out.writeBoolean(arenas.space(arena) == TraceSpace.CLASS);
      }
      out.writeLong(program.allocationCount());
      out.writeInt(program.keptCount());
      out.writeLong(program.operationCount());
      for (long i = 0; i < program.operationCount(); i++) {
        out.writeLong(program.operations().get(i));
      }
    }
  }

  static ReplayProgram read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES))) {
      String name = in.readUTF();
      int arenaCount = in.readInt();
      int loaderCount = in.readInt();
      int[] loaders = new int[arenaCount];
      TraceSpace[] spaces = new TraceSpace[arenaCount];
      for (int arena = 0; arena < arenaCount; arena++) {
        loaders[arena] = in.readInt();
        spaces[arena] = in.readBoolean() ? TraceSpace.CLASS : TraceSpace.NON_CLASS;
      }
      long allocationCount = in.readLong();
      int keptCount = in.readInt();
      long operationCount = in.readLong();
      OperationList operations = new OperationList();
      for (long i = 0; i < operationCount; i++) {
        operations.add(in.readLong());
      }
      ArenaTable arenas = new ArenaTable(loaderCount, spaces, loaders);
      return new ReplayProgram(name, operations, arenas, allocationCount, keptCount);
    }
  }
}
