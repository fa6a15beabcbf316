package dev.cuzk.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PerfettoTraceTest {
  private final RunReport report = new SampleRun(50, "job").report();

  private JsonNode events() throws IOException {
    return new ObjectMapper()
        .readTree(PerfettoTrace.of(report, RunPlots.of(report)))
        .get("traceEvents");
  }

  @Test
  void shouldHaveASliceForEachBarAndGap() throws IOException {
    Map<String, Integer> slices = new HashMap<>();
    for (JsonNode event : events()) {
      if (event.get("ph").asText().equals("X")) {
        slices.merge(event.get("cat").asText(), 1, Integer::sum);
      }
    }
    assertEquals(Map.of("stage", 50 * SampleRun.STAGES, "gap", 4), slices);
  }

  @Test
  void shouldNotLetSlicesOfOneLaneOverlap() throws IOException {
    Map<String, Long> reached = new HashMap<>();
    for (JsonNode event : events()) {
      if (event.get("ph").asText().equals("X")) {
        String lane = event.get("pid") + "/" + event.get("tid");
        long start = event.get("ts").asLong();
        assertTrue(start >= reached.getOrDefault(lane, 0L) - 1, event.toString());
        reached.put(lane, start + event.get("dur").asLong());
      }
    }
  }

  @Test
  void shouldNameEveryLaneAndCountMemory() throws IOException {
    Map<String, Integer> names = new HashMap<>();
    int counters = 0;
    for (JsonNode event : events()) {
      if (event.get("ph").asText().equals("M")) {
        names.merge(event.get("args").get("name").asText(), 1, Integer::sum);
      }
      counters += event.get("ph").asText().equals("C") ? 1 : 0;
    }
    assertTrue(names.keySet().containsAll(Set.of("host", "work 1", "synthesis 1")));
    assertTrue(names.containsKey("device 1: sample GPU"), names.toString());
    assertTrue(counters > report.figures().memorySamples().size() * 5, counters + " counters");
  }
}
