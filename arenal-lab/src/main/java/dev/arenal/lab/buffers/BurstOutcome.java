package dev.arenal.lab.buffers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process of a burst measured.
 *
 * @param library name and version of the allocator
 * @param points along the way, the last one at the end of the idle time
 * @param survivorBytes the sum of the buffers that stayed
 * @param freedNanos when the last buffer had been freed
 */
record BurstOutcome(String library, List<BurstPoint> points, long survivorBytes, long freedNanos) {
  private static final int MAGIC = 0x4172_4275;

  BurstOutcome {
    points = List.copyOf(points);
  }

  void write(Path file) throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      out.writeInt(MAGIC);
      out.writeUTF(library);
      out.writeLong(survivorBytes);
      out.writeLong(freedNanos);
      out.writeInt(points.size());
      for (BurstPoint point : points) {
        out.writeLong(point.nanos());
        out.writeLong(point.residentBytes());
      }
    }
  }

  static BurstOutcome read(Path file) throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
      if (in.readInt() != MAGIC) {
        throw new IOException("not the result of a burst: file=" + file);
      }
      String library = in.readUTF();
      long survivorBytes = in.readLong();
      long freedNanos = in.readLong();
      List<BurstPoint> points = new ArrayList<>();
      int countPoints = in.readInt();
      for (int i = 0; i < countPoints; i++) {
        points.add(new BurstPoint(in.readLong(), in.readLong()));
      }
      return new BurstOutcome(library, points, survivorBytes, freedNanos);
    }
  }
}
