package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Stage;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.FakeCosts;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.VirtualScheduler;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.report.DeviceFacts;
import dev.cuzk.report.EngineFigures;
import dev.cuzk.report.RunReport;
import dev.cuzk.report.Timeline;
import dev.cuzk.report.TimelineRecorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the timeline says of the real engine on a simulated device. */
class EngineTimelineTest {
  private static final int JOBS = 6;
  private static final int PARTITIONS = 3;

  @TempDir Path folder;

  private record Costs(double uploadMs, double computeMs, FakeCosts rest) implements FakeCosts {
    @Override
    public List<Plan> plans(ProvingKey key, Plan wish) {
      return rest.plans(key, wish);
    }

    @Override
    public MemoryNeeds needs(ProvingKey key, Plan plan) {
      return rest.needs(key, plan);
    }

    @Override
    public double keyLoadMs(ProvingKey key, Plan plan) {
      return 40;
    }

    @Override
    public double[] stageMs(ProvingKey key, Plan plan) {
      double[] stages = new double[Stage.values().length];
      stages[Stage.UPLOAD.ordinal()] = uploadMs;
      stages[Stage.NTT.ordinal()] = computeMs / 2;
      stages[Stage.MSM_H.ordinal()] = computeMs / 2;
      stages[Stage.FINISH.ordinal()] = 1;
      return stages;
    }
  }

  private RunReport.DeviceReport run(
      Path csv, boolean synchronous, double uploadMs, double synthesisMs) throws Exception {
    VirtualScheduler scheduler = new VirtualScheduler(7);
    return scheduler.run(
        () -> {
          TimelineRecorder recorder = new TimelineRecorder(csv, scheduler::nanoTime);
          EngineFixture fixture = new EngineFixture(scheduler);
          fixture.synthesisMs = synthesisMs;
          fixture.verifyMs = 5;
          fixture.writeMs = 2;
          fixture.listener = recorder;
          Costs costs = new Costs(uploadMs, 100, FakeCosts.of(0, 0));
          FakeBackend device = new FakeBackend(new Model(0, 1L << 34, costs, true), scheduler);
          EngineOptions.Builder options =
              fixture.options().synchronous(synchronous).scheduler(scheduler);
          Engine engine = fixture.engine(options, List.of(device));
          SimulatedKey key = new SimulatedKey("k", 10);
          for (int i = 0; i < JOBS; i++) {
            engine.submit(fixture.job(i, 0, key, PARTITIONS));
          }
          engine.finishAndClose();
          recorder.close();
          assertEquals(List.of(), fixture.violations(engine));
          EngineFigures figures =
              new EngineFigures(
                  List.of(new DeviceFacts(0, "", "fake", "", 1)),
                  List.of(),
                  List.of(),
                  List.of(),
                  recorder.uploadFigures(0));
          return RunReport.devices(figures, recorder).get(0);
        });
  }

  /** Type and field names of each partition's rows. */
  private static Map<String, TreeSet<String>> fields(Path csv) throws Exception {
    Map<String, TreeSet<String>> fields = new LinkedHashMap<>();
    for (String line : Files.readAllLines(csv)) {
      String[] row = line.split(",", -1);
      String detail = row[7].replaceAll("=[0-9.]+", "");
      String place = row[3] + "/" + row[4];
      if (row[1].equals("TIMELINE")) {
        assertTrue(fields.computeIfAbsent(place, p -> new TreeSet<>()).add(row[2]), line);
      } else if (row[1].endsWith("_TIMING")) {
        assertTrue(fields.computeIfAbsent(place, p -> new TreeSet<>()).add(row[1] + detail), line);
      }
    }
    return fields;
  }

  @Test
  void shouldHaveTheSameFieldsInBothModes() throws Exception {
    Path asynchronous = folder.resolve("a.csv");
    Path synchronous = folder.resolve("s.csv");
    run(asynchronous, false, 10, 30);
    run(synchronous, true, 10, 30);
    Map<String, TreeSet<String>> fields = fields(asynchronous);
    assertEquals(JOBS * PARTITIONS, fields.size());
    assertEquals(fields, fields(synchronous));
    List<String> events = Stream.of(Timeline.Event.values()).map(Enum::name).toList();
    for (TreeSet<String> ofPartition : fields.values()) {
      assertTrue(ofPartition.containsAll(events), ofPartition.toString());
      assertEquals(events.size() + 2, ofPartition.size(), ofPartition.toString());
    }
  }

  @Test
  void shouldTellEventsInTheirOrder() throws Exception {
    Path csv = folder.resolve("a.csv");
    run(csv, false, 10, 30);
    Map<String, List<String>> events = new LinkedHashMap<>();
    for (String line : Files.readAllLines(csv)) {
      String[] row = line.split(",", -1);
      if (row[1].equals("TIMELINE")) {
        events.computeIfAbsent(row[3] + "/" + row[4], p -> new ArrayList<>()).add(row[2]);
      }
    }
    List<String> order = Arrays.stream(Timeline.Event.values()).map(Enum::name).toList();
    events.values().forEach(ofPartition -> assertEquals(order, ofPartition));
  }

  @Test
  void shouldNameUploadWhereUploadIsSlow() throws Exception {
    RunReport.DeviceReport device = run(folder.resolve("a.csv"), false, 150, 1);
    assertEquals("upload", device.use().idle().get(0).cause());
    assertTrue(unexplained(device) < 0.02, idle(device));
  }

  @Test
  void shouldNameSynthesisWhereSynthesisIsSlow() throws Exception {
    RunReport.DeviceReport device = run(folder.resolve("a.csv"), false, 1, 900);
    assertEquals("synthesis", device.use().idle().get(0).cause());
    assertTrue(unexplained(device) < 0.02, idle(device));
  }

  @Test
  void shouldExplainIdleTimeInSynchronousMode() throws Exception {
    RunReport.DeviceReport device = run(folder.resolve("a.csv"), true, 10, 30);
    assertTrue(idle(device).contains("in-flight limit"), idle(device));
    assertTrue(unexplained(device) < 0.02, idle(device));
  }

  private static String idle(RunReport.DeviceReport device) {
    return device.use().idle().toString();
  }

  private static double unexplained(RunReport.DeviceReport device) {
    return device.use().unexplainedFraction();
  }
}
