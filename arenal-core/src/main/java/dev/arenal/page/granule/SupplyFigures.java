package dev.arenal.page.granule;

/**
 * The figures of a supply at one moment.
 *
 * @param usedBytes in pages, whole, and in pages that are being put together
 * @param cachedBytes committed and unused
 * @param committedBytes backed or to be backed on first touch; pages less what is discarded in
 *     them, the cache, and what is claimed
 * @param reservedBytes address space
 * @param capacityBytes most that pages may take
 * @param largestPlaceBytes the largest page for which there are addresses
 * @param lastErrno why the kernel refused something last, a negative errno; 0 if it never did
 */
public record SupplyFigures(
    long usedBytes,
    long cachedBytes,
    long committedBytes,
    long reservedBytes,
    long capacityBytes,
    long largestPlaceBytes,
    long lastErrno) {}
