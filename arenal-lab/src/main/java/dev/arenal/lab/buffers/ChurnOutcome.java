package dev.arenal.lab.buffers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process of a churn measured.
 *
 * @param library name and version of the allocator
 * @param points along the way, the last one at the end
 * @param keptBytes resident when every buffer had been freed
 * @param trimmedBytes the same after the allocator was asked to give back what is free; {@link
 *     #UNKNOWN} if it has no call for that
 * @param countFreed buffers freed
 * @param countFreedForOthers those of them that another thread had taken
 */
record ChurnOutcome(
    String library,
    List<ChurnPoint> points,
    long keptBytes,
    long trimmedBytes,
    long countFreed,
    long countFreedForOthers) {
  static final long UNKNOWN = -1;

  private static final int MAGIC = 0x4172_4368;

  ChurnOutcome {
    points = List.copyOf(points);
  }

  void write(Path file) throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      out.writeInt(MAGIC);
      out.writeUTF(library);
      out.writeLong(keptBytes);
      out.writeLong(trimmedBytes);
      out.writeLong(countFreed);
      out.writeLong(countFreedForOthers);
      out.writeInt(points.size());
      for (ChurnPoint point : points) {
        out.writeLong(point.operation());
        out.writeLong(point.liveBytes());
        out.writeLong(point.residentBytes());
        out.writeLong(point.nanos());
      }
    }
  }

  static ChurnOutcome read(Path file) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      if (in.readInt() != MAGIC) {
        throw new IOException("not the result of a churn: file=" + file);
      }
      String library = in.readUTF();
      long keptBytes = in.readLong();
      long trimmedBytes = in.readLong();
      long countFreed = in.readLong();
      long countFreedForOthers = in.readLong();
      List<ChurnPoint> points = new ArrayList<>();
      int countPoints = in.readInt();
      for (int i = 0; i < countPoints; i++) {
        points.add(new ChurnPoint(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
      }
      return new ChurnOutcome(
          library, points, keptBytes, trimmedBytes, countFreed, countFreedForOthers);
    }
  }
}
