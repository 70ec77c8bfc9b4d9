package dev.arenal.supply;

import dev.arenal.guard.Damage;
import dev.arenal.memory.Budget;
import dev.arenal.os.OperatingSystem;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The owners under one budget that let each other have free committed memory: an owner that would
 * commit takes from them first, and the kernel moves the pages by their tables.
 *
 * <p>Some microseconds for 2 MiB, where discarding and faulting in again takes 800 (ADR 0024).
 *
 * <p>Thread-safe. No lock is held while a peer is asked, apart from those of the asking thread, so
 * the lock of a peer is taken after any other.
 */
public final class Peers {
  /** An owner of memory. Held weakly. */
  public abstract static class Peer {
    /** Of its owner, which is in doubt where {@link #offer} or {@link #settle} end half-way. */
    final Damage damage;

    /** Whether a transfer has ended and was not settled. */
    private volatile boolean isLeftBehind;

    /** For owners. */
    protected Peer(Damage damage) {
      this.damage = damage;
    }

    /** Whether claims of it may stay for ever although they are unused, since it is damaged. */
    public final boolean isLeftBehind() {
      return isLeftBehind;
    }

    /**
     * Claims free granules, at most as many as there is room for, and adds them. Nothing is claimed
     * where it throws because the Java heap is full.
     */
    public abstract void offer(Transfer transfer);

    /**
     * Notes what has become of the granules that it had added: addresses without memory, or as they
     * were. Called once, also where the asking thread has failed; needs no Java heap.
     */
    public abstract void settle(Transfer transfer, int from, int to);
  }

  /** Guarded by itself. */
  private static final Map<Budget, Peers> OF_BUDGETS = new WeakHashMap<>();

  private final CopyOnWriteArrayList<WeakReference<Peer>> peers = new CopyOnWriteArrayList<>();

  private Peers() {}

  /** Those of a budget. */
  public static Peers of(Budget budget) {
    synchronized (OF_BUDGETS) {
      return OF_BUDGETS.computeIfAbsent(budget, any -> new Peers());
    }
  }

  /** From now on it is asked. */
  public void add(Peer peer) {
    peers.removeIf(reference -> reference.get() == null);
    peers.add(new WeakReference<>(peer));
  }

  /** It is not asked any more; no effect if it is not known. */
  public void remove(Peer peer) {
    peers.removeIf(reference -> {
      Peer known = reference.get();
      return known == null || known.equals(peer);
    });
  }

  /**
   * Claims free granules of others, has them used, and settles what has become of them, whatever
   * happens.
   *
   * @param use moves the memory of some or all of them
   * @return what that returns; null if there are none
   */
  public <R> @Nullable R take(
      Peer asking,
      OperatingSystem os,
      long granuleBytes,
      int mostGranules,
      Function<Transfer, @Nullable R> use) {
    int mostPeers = peers.size();
    if (mostPeers <= 1) {
      return null;
    }
    Transfer transfer = new Transfer(os, granuleBytes, mostGranules, mostPeers);
    try {
      for (WeakReference<Peer> reference : peers) {
        Peer peer = reference.get();
        if (peer != null && !peer.equals(asking) && transfer.hasRoom()) {
          offer(peer, transfer);
        }
      }
      return transfer.count() == 0 ? null : use.apply(transfer);
    } finally {
      // Here: a method for it could not be entered at the end of the stack, and peers would wait.
      int from = 0;
      for (int i = 0; i < transfer.peerCount; i++) {
        Peer peer = transfer.peers[i];
        try {
          peer.settle(transfer, from, transfer.ends[i]);
        } catch (Throwable e) {
          peer.damage.cause = e;
          peer.isLeftBehind = true;
        }
        from = transfer.ends[i];
      }
    }
  }

  private static void offer(Peer peer, Transfer transfer) {
    int from = transfer.count();
    try {
      peer.offer(transfer);
      transfer.addedBy(peer, from);
    } catch (OutOfMemoryError e) {
      throw e; // of the Java heap: nothing is claimed
    } catch (Throwable e) {
      peer.damage.cause = e;
      peer.isLeftBehind = true;
      throw e;
    }
  }
}
