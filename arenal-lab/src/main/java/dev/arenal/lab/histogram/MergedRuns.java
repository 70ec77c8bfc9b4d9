package dev.arenal.lab.histogram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramJson;
import dev.arenal.agent.histogram.RunFacts;
import java.time.Instant;
import java.util.List;

/**
 * Runs of one or more programs, together.
 *
 * @param runs the runs, of which there is at least one
 * @param data the sum of their figures
 */
public record MergedRuns(List<RecordedRun> runs, HistogramData data) {
  /** The sum of these runs. */
  public static MergedRuns of(List<RecordedRun> runs) {
    HistogramData sum = runs.getFirst().data();
    for (RecordedRun run : runs.subList(1, runs.size())) {
      sum = sum.merge(run.data());
    }
    return new MergedRuns(List.copyOf(runs), sum);
  }

  /** The programs, each once. */
  public String programs() {
    return String.join(", ", runs.stream().map(RecordedRun::program).distinct().toList());
  }

  /** As the agent writes it, so that it can be merged again, with the runs it is made of. */
  public ObjectNode json() {
    RunFacts facts = new RunFacts(programs(), 0, "", "", Instant.EPOCH);
    ObjectNode node;
    try {
      String text = HistogramJson.text(data, facts, Instant.EPOCH);
      node = (ObjectNode) new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("wrote JSON that is none", e);
    }
    var _ = node.remove(List.of("pid", "jvm", "pooledSites", "started", "written"));
    ArrayNode files = node.putArray("runs");
    for (RecordedRun run : runs) {
      files
          .addObject()
          .put("file", run.file())
          .put("program", run.program())
          .put("arenasClosed", run.data().arenasClosed());
    }
    node.put("recommendedPoolSizeBytes", Recommendation.of(data).sizeBytes());
    return node;
  }
}
