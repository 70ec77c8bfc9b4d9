package dev.arenal.lab.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Clients that read as fast as they can, in one thread, each with one request at a time.
 *
 * <p>At a fixed rate the moments at which requests are due are known before, and a time counts from
 * there: a request that waits because others are late is late itself. So a pause of the proxy is in
 * the times of all requests that it hits, and not only in those that were on their way.
 */
final class FastClients implements AutoCloseable {
  /** By turns; a buffer of the proxy is filled with the smallest and not by the largest. */
  private static final int[] RESPONSE_BYTES = {512, 4 << 10, 16 << 10, 64 << 10};

  private static final double NANOS_PER_SECOND = 1e9;
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int DIGITS = 3;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(ResponsePattern.PERIOD_BYTES);
  private final Selector selector;
  private final List<Seat> seats = new ArrayList<>();
  private int askedCount;
  private int openCount;

  private FastClients(Selector selector) {
    this.selector = selector;
  }

  /** A client, and when the requests are due that it has not yet asked. */
  private static final class Seat {
    private final Client client;
    private final Queue<Long> due = new ArrayDeque<>();
    private long dueNanos;
    private boolean isBusy;

    Seat(Client client) {
      this.client = client;
    }
  }

  static FastClients connect(int port, int count) throws IOException {
    FastClients clients = new FastClients(Selector.open());
    for (int i = 0; i < count; i++) {
      Client client = Client.connect(port, null);
      Seat seat = new Seat(client);
      client.channel().register(clients.selector, SelectionKey.OP_READ, seat);
      clients.seats.add(seat);
    }
    return clients;
  }

  /**
   * Asks for some time, then waits until all are served.
   *
   * @param ratePerSecond 0 to ask again as soon as there is an answer
   * @return the times of those that were served meanwhile; with a rate of all that were due
   */
  Histogram run(Duration duration, double ratePerSecond) throws IOException {
    Histogram times = new Histogram(MOST_NANOS, DIGITS);
    long start = System.nanoTime();
    long end = start + duration.toNanos();
    long countDue = 0;
    if (ratePerSecond == 0) {
      for (Seat seat : seats) {
        ask(seat, System.nanoTime());
      }
    }
    while (true) {
      long now = System.nanoTime();
      long nextNanos = end;
      if (ratePerSecond > 0) {
        nextNanos = due(start, countDue, ratePerSecond);
        while (nextNanos <= now && nextNanos < end) {
          ask(seats.get((int) (countDue % seats.size())), nextNanos);
          countDue++;
          nextNanos = due(start, countDue, ratePerSecond);
        }
      }
      if (now >= end && openCount == 0) {
        return times;
      }
      if (now > end + MOST_NANOS) {
        throw new IOException("requests are not answered: count=" + openCount);
      }
      select(Math.min(nextNanos, end) - now);
      read(times, ratePerSecond == 0, end);
    }
  }

  private static long due(long start, long number, double ratePerSecond) {
    return start + Math.round(number * NANOS_PER_SECOND / ratePerSecond);
  }

  private void ask(Seat seat, long dueNanos) throws IOException {
    openCount++;
    if (seat.isBusy) {
      seat.due.add(dueNanos);
    } else {
      askNow(seat, dueNanos);
    }
  }

  private void askNow(Seat seat, long dueNanos) throws IOException {
    seat.isBusy = true;
    seat.dueNanos = dueNanos;
    askedCount++;
    seat.client.ask(askedCount, RESPONSE_BYTES[askedCount % RESPONSE_BYTES.length]);
  }

  /** A wait of less than a millisecond is none for the selector: then it only looks. */
  private void select(long nanos) throws IOException {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (nanos < 0) {
      selector.select(1);
    } else if (millis == 0) {
      selector.selectNow();
    } else {
      selector.select(millis);
    }
  }

  private void read(Histogram times, boolean isClosedLoop, long end) throws IOException {
    Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
    while (keys.hasNext()) {
      Seat seat = (Seat) keys.next().attachment();
      keys.remove();
      int _ = seat.client.read(buffer);
      if (!seat.client.isServed()) {
        continue;
      }
      long now = System.nanoTime();
      openCount--;
      seat.isBusy = false;
      if (!isClosedLoop || now < end) {
        times.recordValue(Math.min(MOST_NANOS, now - seat.dueNanos));
      }
      Long next = seat.due.poll();
      if (next != null) {
        askNow(seat, next);
      } else if (isClosedLoop && now < end) {
        ask(seat, now);
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Seat seat : seats) {
      seat.client.close();
    }
    selector.close();
  }
}
