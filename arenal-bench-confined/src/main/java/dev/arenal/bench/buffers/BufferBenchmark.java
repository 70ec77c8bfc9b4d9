package dev.arenal.bench.buffers;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How benchmarks of buffers are measured, where no plan says it: in threads of Netty's own kind,
 * and by the buffers that all of them handle in a time.
 *
 * <p>The mean of the threads' own times says little where threads outnumber processors: one that
 * does not get a processor during an iteration, or waits for a neighbour that does not, has one
 * buffer in all of it, and counts as much as all others together.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow",
      "-Djmh.executor=CUSTOM",
      "-Djmh.executor.class=dev.arenal.bench.buffers.NettyThreads",
      "-Dio.netty.leakDetection.level=disabled"
    })
public abstract class BufferBenchmark {}
