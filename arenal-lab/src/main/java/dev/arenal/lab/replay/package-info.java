/**
 * Replays recorded traces against allocators, each in a process of its own, and measures time and
 * what is used, committed and resident.
 *
 * <p>{@link dev.arenal.lab.replay.Replayer} is the way in. It decodes a trace once, finds its
 * phases and starts a {@link dev.arenal.lab.replay.ReplayWork} per allocator and run.
 */
@NullMarked
package dev.arenal.lab.replay;

import org.jspecify.annotations.NullMarked;
