package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.cuzk.engine.Engine;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.ProofChecker;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with the real engine on devices that only pretend to prove. */
class EngineBatchTest {
  private static final int JOBS = 30;
  private static final long MEMORY = 4L << 30;

  /**
   * Milliseconds a proof with which a run lasts long after its fourth job, on a busy machine too.
   */
  private static final long SLOW = 100;

  @TempDir Path folder;

  private static EngineFactory engines(long millisecondsAProof) {
    ProofChecker everythingIsValid =
        (key, proofs, publicInputs) -> {
          boolean[] valid = new boolean[proofs.size()];
          Arrays.fill(valid, true);
          return valid;
        };
    return (sink, timeline) ->
        new Engine(
            EngineOptions.builder(MEMORY, MEMORY / 4).synthesisThreads(2).verifyThreads(1).build(),
            List.of(
                new FakeBackend(new FakeBackend.Model(0, MEMORY, millisecondsAProof)),
                new FakeBackend(new FakeBackend.Model(1, MEMORY, millisecondsAProof))),
            null,
            everythingIsValid,
            sink,
            timeline);
  }

  private JsonNode validReport(Path out) throws IOException {
    JsonNode report = new ObjectMapper().readTree(out.resolve("report.json").toFile());
    Path schema = TestFiles.project("docs/report.schema.json");
    assertEquals(
        List.of(),
        List.copyOf(
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(schema))
                .validate(report)));
    return report;
  }

  @Test
  void shouldProveOnEngineDevicesAndReportThem() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), JOBS);
    Path out = folder.resolve("out");
    BatchTesting.Heard heard = new BatchTesting.Heard();
    assertEquals(
        0,
        new BatchRunner(BatchTesting.options(out, inputs).build(), engines(10), heard).run(),
        heard::firstError);
    assertEquals(JOBS, heard.summary.proved());
    JsonNode report = validReport(out);
    assertEquals(2, report.get("devices").size());
    assertTrue(report.get("devices").get(0).get("busy_fraction").asDouble() > 0);
    JsonNode partition = report.get("jobs").get(0).get("partitions").get(0);
    assertTrue(partition.get("verified").asBoolean());
    assertTrue(partition.get("stages").size() > 2);
    assertTrue(report.get("summary").get("prove_seconds").asDouble() > 0);
  }

  @Test
  void shouldAcceptNoProofTwiceAcrossStopsAndResumes() throws Exception {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), JOBS);
    Path out = folder.resolve("out");
    for (int round = 0; round < 3; round++) {
      BatchTesting.Heard heard = new BatchTesting.Heard();
      BatchRunner runner =
          new BatchRunner(
              BatchTesting.options(out, inputs).grace(Duration.ofMillis(20)).build(),
              engines(SLOW),
              heard);
      Thread stopper =
          new Thread(
              () -> {
                while (heard.count() < 4) {
                  Thread.yield();
                }
                runner.stop(143, "SIGTERM");
              });
      stopper.start();
      assertEquals(143, runner.run());
      stopper.join();
      JsonNode report = validReport(out);
      assertEquals("SIGTERM", report.get("summary").get("stopped").asText());
    }
    BatchTesting.Heard last = new BatchTesting.Heard();
    assertEquals(
        0, new BatchRunner(BatchTesting.options(out, inputs).build(), engines(10), last).run());
    assertTrue(last.summary.resumed() > 0);
    List<String> accepted =
        Files.readAllLines(out.resolve(Journal.FILE)).stream()
            .filter(line -> line.contains("\"type\":\"accepted\""))
            .map(line -> line.replaceAll(".*\"name\":\"([^\"]*)\".*", "$1"))
            .toList();
    assertEquals(JOBS, accepted.size());
    assertEquals(JOBS, accepted.stream().distinct().count());
  }
}
