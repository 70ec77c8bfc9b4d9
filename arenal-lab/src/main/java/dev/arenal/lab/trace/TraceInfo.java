package dev.arenal.lab.trace;

/**
 * The facts of a whole trace, known once it has been read or written to its end.
 *
 * @param name the name of an embedded trace, or of the file without directories and {@code .trace}
 * @param jvmVersion the version of the recorded JVM, such as {@code 25.0.3+9-LTS}
 * @param commitGranuleBytes the unit in which the recorded JVM committed; 0 if it did not say
 * @param programExit the exit code of the recorded program; 128 + n if signal n ended it
 * @param anomalyCount how many log lines the recorder could not fit to what it had seen
 * @param eventCount all events: births, allocations, deallocations, deaths, commits, marks
 * @param allocationCount how many blocks were allocated
 * @param deallocationCount how many of them were given back before their arena died
 * @param arenaCount how many arenas were born
 * @param deathCount how many of them died
 * @param loaderCount how many loaders owned them
 * @param allocatedWords the sum of all allocation sizes, in words of 8 bytes
 */
public record TraceInfo(
    String name,
    String jvmVersion,
    int commitGranuleBytes,
    int programExit,
    long anomalyCount,
    long eventCount,
    int allocationCount,
    int deallocationCount,
    int arenaCount,
    int deathCount,
    int loaderCount,
    long allocatedWords) {}
