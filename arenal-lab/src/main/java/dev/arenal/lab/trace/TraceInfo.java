package dev.arenal.lab.trace;

/**
 * The facts of a whole trace, known once it has been read or written to its end.
 *
 * @param name the name of an embedded trace, or of the file without directories and {@code .trace}
 * @param jvmVersion the version of the recorded JVM, such as {@code 25.0.3+9-LTS}
 * @param commitGranuleBytes the unit in which the recorded JVM committed; 0 if it did not say
 * @param programExit the exit code of the recorded program; 128 + n if signal n ended it
 * @param countAnomalies how many log lines the recorder could not fit to what it had seen
 * @param countEvents all events: births, allocations, deallocations, deaths, commits, marks
 * @param countAllocations how many blocks were allocated
 * @param countDeallocations how many of them were given back before their arena died
 * @param countArenas how many arenas were born
 * @param countDeaths how many of them died
 * @param countLoaders how many loaders owned them
 * @param allocatedWords the sum of all allocation sizes, in words of 8 bytes
 */
public record TraceInfo(
    String name,
    String jvmVersion,
    int commitGranuleBytes,
    int programExit,
    long countAnomalies,
    long countEvents,
    int countAllocations,
    int countDeallocations,
    int countArenas,
    int countDeaths,
    int countLoaders,
    long allocatedWords) {}
