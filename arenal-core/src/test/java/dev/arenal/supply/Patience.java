package dev.arenal.supply;

import java.util.concurrent.TimeUnit;

/** For tests of requests that wait for others: how busy the machine is must not count. */
public final class Patience {
  private Patience() {}

  /** A request for a page waits for what a pretouch has in hand, or another owner, for long. */
  public static void forReturns(Claims claims) {
    claims.mostReturnNanos = TimeUnit.SECONDS.toNanos(30);
  }
}
