package dev.arenal.lab.proxy;

/**
 * A moment of the proxy.
 *
 * @param seconds since the first client of the first wave
 * @param residentBytes resident, without what was before
 * @param waitingBytes what waited in it for clients
 */
public record ProxyPoint(double seconds, long residentBytes, long waitingBytes) {}
