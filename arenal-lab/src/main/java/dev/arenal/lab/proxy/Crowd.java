package dev.arenal.lab.proxy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Many clients of which each waits for one large response, in one thread. */
final class Crowd implements AutoCloseable {
  /**
   * The bytes that the kernel keeps for a slow client: few, so that the rest waits in the proxy.
   */
  private static final int SLOW_RECEIVE_BYTES = 16 << 10;

  private static final int FAST_RECEIVE_BYTES = 512 << 10;
  private static final int TRICKLE_BYTES = 4 << 10;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(ResponsePattern.PERIOD_BYTES);
  private final ByteBuffer small = ByteBuffer.allocateDirect(TRICKLE_BYTES);
  private final List<Client> clients = new ArrayList<>();
  private int askedCount;
  private int servedCount;
  private int lostCount;

  /** More of them connect, and ask. */
  void join(int port, int count, int responseBytes) throws IOException {
    for (int i = 0; i < count; i++) {
      askedCount++;
      try {
        Client client = Client.connect(port, SLOW_RECEIVE_BYTES);
        clients.add(client);
        client.ask(askedCount, responseBytes);
      } catch (IOException e) {
        lostCount++; // there is no answer any more
      }
    }
  }

  int servedCount() {
    return servedCount;
  }

  int lostCount() {
    return lostCount;
  }

  /** Those that are connected, or believe so. */
  int presentCount() {
    return clients.size();
  }

  /** Counts from now on. */
  void forgetCounts() {
    servedCount = 0;
    lostCount = 0;
  }

  /** Each reads a little. */
  void trickle() throws IOException {
    Iterator<Client> all = clients.iterator();
    while (all.hasNext()) {
      if (hasLeft(all.next(), small)) {
        all.remove();
      }
    }
  }

  /** Lets a client read once; one that is served then or lost is gone. */
  private boolean hasLeft(Client client, ByteBuffer into) throws IOException {
    try {
      client.read(into);
      if (!client.isServed()) {
        return false;
      }
      servedCount++;
    } catch (IOException e) {
      lostCount++;
    }
    client.close();
    return true;
  }

  /**
   * All but some read to their ends, as fast as it goes, and leave.
   *
   * @param keepEvery which of them stay as they are: one in so many; 0 for none
   */
  void leave(int keepEvery, long mostMillis) throws IOException {
    List<Client> kept = new ArrayList<>();
    long end = System.nanoTime() + mostMillis * 1_000_000;
    try (Selector selector = Selector.open()) {
      int leftCount = 0;
      for (int i = 0; i < clients.size(); i++) {
        Client client = clients.get(i);
        if (keepEvery > 0 && i % keepEvery == keepEvery / 2) {
          kept.add(client);
        } else {
          client.channel().setOption(StandardSocketOptions.SO_RCVBUF, FAST_RECEIVE_BYTES);
          client.channel().register(selector, SelectionKey.OP_READ, client);
          leftCount++;
        }
      }
      while (leftCount > 0 && System.nanoTime() < end) {
        selector.select(100);
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
          Client client = (Client) keys.next().attachment();
          keys.remove();
          if (hasLeft(client, buffer)) {
            leftCount--;
          }
        }
      }
      lostCount += leftCount;
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
    }
    clients.clear();
    clients.addAll(kept);
  }

  @Override
  public void close() throws IOException {
    for (Client client : clients) {
      client.close();
    }
    clients.clear();
  }
}
