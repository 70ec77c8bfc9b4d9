package dev.arenal.page;

import java.util.ArrayList;
import java.util.List;

/**
 * The most that all threads of a program hold and ask for, each buffer counted as its own page, and
 * the most that it came to while a request went on: where that is little, there was room for the
 * request all the time, whatever the other threads did.
 */
final class BufferDemand {
  private final List<Request> requests = new ArrayList<>();
  private long bytes;
  private int obstacleCount;

  /** A request for one buffer that goes on. */
  final class Request {
    private final long ownBytes;
    private long mostBytes;
    private boolean isObstructed;

    private Request(long ownBytes) {
      this.ownBytes = ownBytes;
    }

    /** It has been answered. Whether there was room for it all the time. */
    boolean end(boolean isGranted, long enoughBytes) {
      synchronized (BufferDemand.this) {
        requests.remove(this);
        if (!isGranted) {
          bytes -= ownBytes;
        }
        return !isObstructed && mostBytes <= enoughBytes;
      }
    }
  }

  synchronized Request begin(long ownBytes) {
    Request request = new Request(ownBytes);
    requests.add(request);
    bytes += ownBytes;
    for (Request other : requests) {
      other.mostBytes = Math.max(other.mostBytes, bytes);
    }
    request.isObstructed = obstacleCount > 0;
    return request;
  }

  /** A buffer of that has been closed. */
  synchronized void closed(long ownBytes) {
    bytes -= ownBytes;
  }

  /** Something else goes on from now on for which a request may be refused. */
  synchronized void beginObstacle() {
    obstacleCount++;
    requests.forEach(request -> request.isObstructed = true);
  }

  synchronized void endObstacle() {
    obstacleCount--;
  }
}
