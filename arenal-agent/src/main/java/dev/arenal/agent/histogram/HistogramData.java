package dev.arenal.agent.histogram;

/** What the closed arenas of one or more programs had allocated. */
public record HistogramData(long arenasClosed) {}
