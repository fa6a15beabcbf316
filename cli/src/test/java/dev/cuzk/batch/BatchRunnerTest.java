package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.batch.BatchListener.JobStatus;
import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.report.DeviceFacts;
import dev.cuzk.report.Timeline;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchRunnerTest {
  @TempDir Path folder;

  private Path out;
  private BatchTesting.Heard heard;

  @BeforeEach
  void setUp() {
    out = folder.resolve("out");
    heard = new BatchTesting.Heard();
  }

  private int run(BatchOptions.Builder options, FakeEngine engine) {
    heard = new BatchTesting.Heard();
    return new BatchRunner(options.build(), engine, heard).run();
  }

  private List<String> proofs() throws IOException {
    try (Stream<Path> files = Files.list(out.resolve("proofs"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void shouldProveEveryWitness() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 3);
    assertEquals(0, run(BatchTesting.options(out, inputs), new FakeEngine(2)));
    assertEquals(
        List.of(
            "w0.proof.json",
            "w0.public.json",
            "w1.proof.json",
            "w1.public.json",
            "w2.proof.json",
            "w2.public.json"),
        proofs());
    assertEquals(3, heard.jobs.size());
    for (int i = 0; i < 3; i++) {
      assertEquals(i, heard.jobs.get(i).sequence());
      assertEquals(JobStatus.PROVED, heard.jobs.get(i).status());
      assertEquals(out + "/proofs/w" + i + ".proof.json", heard.jobs.get(i).files().get(0));
    }
    assertEquals(0, heard.summary.exitCode());
    assertEquals(3, heard.summary.proved());
    assertEquals(3, heard.partitions.size());
    for (String file : List.of("report.json", "report.txt", "timeline.csv", "journal.jsonl")) {
      assertTrue(Files.isRegularFile(out.resolve(file)), file);
    }
    try (Stream<Path> keys = Files.list(out.resolve("keys"))) {
      Path key = keys.findFirst().orElseThrow();
      assertEquals(Digests.of(Files.readAllBytes(key)) + ".json", key.getFileName().toString());
    }
  }

  @Test
  void shouldProveAFolderInByteOrderWithoutHiddenFiles() throws IOException {
    Path in = folder.resolve("in");
    for (String name : List.of("b.wtns", "B.wtns", "a.wtns", ".x.wtns")) {
      BatchTesting.witness(in.resolve(name), name.hashCode());
    }
    Files.writeString(in.resolve("notes.txt"), "no input");
    Files.createDirectory(in.resolve("sub.wtns"));
    FakeEngine engine = new FakeEngine();
    assertEquals(0, run(BatchTesting.options(out, List.of(in.toString())), engine));
    assertEquals(List.of("B", "a", "b"), engine.proved);
  }

  @Test
  void shouldProveNothingTwice() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 4);
    assertEquals(0, run(BatchTesting.options(out, inputs.subList(0, 2)), new FakeEngine()));
    FakeEngine again = new FakeEngine();
    assertEquals(0, run(BatchTesting.options(out, inputs).resume(true), again));
    assertEquals(List.of("w2", "w3"), again.proved);
    assertEquals(JobStatus.RESUMED, heard.statusOf("w0"));
    assertEquals(2, heard.summary.resumed());
    FakeEngine idle = new FakeEngine();
    assertEquals(0, run(BatchTesting.options(out, inputs), idle));
    assertEquals(0, idle.starts);
  }

  @Test
  void shouldMakeLostFilesAgainFromTheJournal() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 2);
    run(BatchTesting.options(out, inputs), new FakeEngine());
    Path proof = out.resolve("proofs/w0.proof.json");
    byte[] before = Files.readAllBytes(proof);
    Files.delete(proof);
    Files.writeString(out.resolve("proofs/w1.public.json"), "[]");
    FakeEngine again = new FakeEngine();
    assertEquals(0, run(BatchTesting.options(out, inputs), again));
    assertEquals(List.of(), again.proved);
    assertArrayEquals(before, Files.readAllBytes(proof));
    assertFalse(Files.readString(out.resolve("proofs/w1.public.json")).equals("[]"));
  }

  @Test
  void shouldRefuseTheSameNameFromAnotherInput() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    run(BatchTesting.options(out, inputs), new FakeEngine());
    byte[] before = Files.readAllBytes(out.resolve("proofs/w0.proof.json"));
    BatchTesting.witness(Path.of(inputs.get(0)), 77);
    FakeEngine refused = new FakeEngine();
    assertEquals(2, run(BatchTesting.options(out, inputs), refused));
    assertEquals(0, refused.starts);
    assertTrue(heard.firstError().contains("--overwrite"));
    assertArrayEquals(before, Files.readAllBytes(out.resolve("proofs/w0.proof.json")));
    assertEquals(0, run(BatchTesting.options(out, inputs).overwrite(true), new FakeEngine()));
    FakeEngine done = new FakeEngine();
    assertEquals(0, run(BatchTesting.options(out, inputs), done));
    assertEquals(List.of(), done.proved);
  }

  @Test
  void shouldRefuseToResumeNothing() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    assertEquals(2, run(BatchTesting.options(out, inputs).resume(true), new FakeEngine()));
    assertFalse(Files.exists(out));
  }

  @Test
  void shouldNotCountUnverifiedProofsAsDoneInARunThatVerifies() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    FakeEngine unverified = new FakeEngine();
    unverified.verified = false;
    run(BatchTesting.options(out, inputs).selfVerify(false), unverified);
    FakeEngine same = new FakeEngine();
    run(BatchTesting.options(out, inputs).selfVerify(false), same);
    assertEquals(List.of(), same.proved);
    FakeEngine verifying = new FakeEngine();
    run(BatchTesting.options(out, inputs), verifying);
    assertEquals(List.of("w0"), verifying.proved);
  }

  @Test
  void shouldProveNothingTwiceWhereverTheJournalWasCut() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 3);
    run(BatchTesting.options(out, inputs), new FakeEngine(2));
    byte[] whole = Files.readAllBytes(out.resolve("journal.jsonl"));
    for (int cut = 0; cut <= whole.length; cut += 97) {
      byte[] rest = Arrays.copyOf(whole, cut);
      Files.write(out.resolve("journal.jsonl"), rest);
      String kept = new String(rest, StandardCharsets.UTF_8);
      String lines = kept.substring(0, kept.lastIndexOf('\n') + 1);
      FakeEngine again = new FakeEngine();
      assertEquals(0, run(BatchTesting.options(out, inputs), again));
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        if (!lines.contains("\"name\":\"w" + i + "\"")) {
          expected.add("w" + i);
        }
      }
      assertEquals(expected, again.proved, "cut at byte " + cut);
      assertEquals(6, proofs().size());
    }
  }

  @Test
  void shouldFailOneBadWitnessAloneAfterHeadersPassed() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 3);
    byte[] bytes = Files.readAllBytes(Path.of(inputs.get(1)));
    Arrays.fill(bytes, bytes.length - 32, bytes.length, (byte) 0xff);
    Files.write(Path.of(inputs.get(1)), bytes);
    assertEquals(8, run(BatchTesting.options(out, inputs), new FakeEngine()));
    assertEquals(JobStatus.FAILED, heard.statusOf("w1"));
    assertEquals(3, heard.jobs.get(1).exitClass());
    assertTrue(heard.firstError().contains("w1.wtns"));
    assertEquals(4, proofs().size());
  }

  @Test
  void shouldRefuseBadHeadersBeforeAnyWork() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 2);
    Files.write(Path.of(inputs.get(1)), new byte[0]);
    FakeEngine engine = new FakeEngine();
    assertEquals(3, run(BatchTesting.options(out, inputs), engine));
    assertEquals(0, engine.starts);
    assertFalse(Files.exists(out));
    assertEquals(1, heard.errors.size());
  }

  @Test
  void shouldTellWhatIsMissing() throws IOException {
    String witness = BatchTesting.witness().toString();
    assertEquals(2, run(BatchTesting.options(out, List.of()), new FakeEngine()));
    assertEquals(2, run(BatchTesting.options(out, List.of(witness)).key(null), new FakeEngine()));
    assertTrue(heard.firstError().contains("--key"));
    Path input = Files.writeString(folder.resolve("i.json"), "{\"a\": 1}");
    assertEquals(2, run(BatchTesting.options(out, List.of(input.toString())), new FakeEngine()));
    assertTrue(heard.firstError().contains("--wasm"));
    assertEquals(2, run(BatchTesting.options(out, List.of(witness)).key(folder), new FakeEngine()));
    assertEquals(
        3,
        run(
            BatchTesting.options(out, List.of(witness)).key(folder.resolve("none.zkey")),
            new FakeEngine()));
    assertEquals(
        3, run(BatchTesting.options(out, List.of(folder + "/none.wtns")), new FakeEngine()));
    assertEquals(
        3, run(BatchTesting.options(out, List.of(witness)).kind("porep"), new FakeEngine()));
    assertEquals(
        2,
        run(
            BatchTesting.options(out, List.of(witness)).format(BatchOptions.ProofFormat.HEX),
            new FakeEngine()));
    assertTrue(heard.firstError().contains("for Filecoin proofs"));
    assertEquals(
        2,
        run(BatchTesting.options(out, List.of(witness)).fact("miner-id", "1"), new FakeEngine()));
    Files.createDirectory(folder.resolve("empty"));
    assertEquals(2, run(BatchTesting.options(out, List.of(folder + "/empty")), new FakeEngine()));
    assertFalse(Files.exists(out));
  }

  @Test
  void shouldRefuseSwappedArguments() {
    BatchOptions.Builder swapped =
        BatchTesting.options(out, List.of(BatchTesting.key().toString()))
            .key(BatchTesting.witness());
    assertEquals(3, run(swapped, new FakeEngine()));
    BatchOptions.Builder keyTwice =
        BatchTesting.options(out, List.of(BatchTesting.key().toString()));
    assertEquals(3, run(keyTwice, new FakeEngine()));
    assertTrue(heard.firstError().contains("--key"));
  }

  @Test
  void shouldReportAnOutputFolderThatCannotBeMade() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    Path file = Files.write(folder.resolve("file"), new byte[1]);
    for (Path bad : List.of(file, file.resolve("below"), Path.of("/proc/none"))) {
      FakeEngine engine = new FakeEngine();
      assertEquals(9, run(BatchTesting.options(bad, inputs), engine), bad.toString());
      assertEquals(0, engine.starts);
    }
  }

  @Test
  void shouldFailOnlyTheJobWhoseFileCannotBeWritten() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 3);
    Files.createDirectories(out.resolve("proofs/w1.public.json"));
    assertEquals(12, run(BatchTesting.options(out, inputs), new FakeEngine(3)));
    assertEquals(JobStatus.FAILED, heard.statusOf("w1"));
    assertEquals(9, heard.jobs.get(1).exitClass());
    assertEquals(JobStatus.PROVED, heard.statusOf("w2"));
    assertFalse(Files.exists(out.resolve("proofs/w1.proof.json")));
    assertEquals(
        List.of(
            "w0.proof.json", "w0.public.json", "w1.public.json", "w2.proof.json", "w2.public.json"),
        proofs());
  }

  @Test
  void shouldRefuseASecondRunOnTheFolder() throws Exception {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    Files.createDirectories(out);
    try (FolderLock lock = FolderLock.acquire(out)) {
      assertNotNull(lock);
      assertEquals(9, run(BatchTesting.options(out, inputs), new FakeEngine()));
      assertTrue(heard.firstError().contains("process " + ProcessHandle.current().pid()));
    }
    assertEquals(0, run(BatchTesting.options(out, inputs), new FakeEngine()));
  }

  @Test
  void shouldRemoveWhatAKilledRunLeft() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    Files.createDirectories(out.resolve("proofs"));
    Files.write(out.resolve("proofs/.w9.proof.json" + AtomicFiles.TEMPORARY_ENDING), new byte[3]);
    assertEquals(0, run(BatchTesting.options(out, inputs), new FakeEngine()));
    assertEquals(2, proofs().size());
  }

  @Test
  void shouldWriteAPairOfFilesAndNoFolder() throws IOException {
    ByteArrayOutputStream standardOutput = new ByteArrayOutputStream();
    Path proof = folder.resolve("p.json");
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of(BatchTesting.witness().toString()))
            .proofFile(proof.toString())
            .publicFile("-")
            .standardOutput(standardOutput);
    assertEquals(0, run(options, new FakeEngine()));
    assertTrue(Files.readString(proof).contains("pi_a"));
    assertTrue(standardOutput.toString(StandardCharsets.UTF_8).startsWith("["));
    assertFalse(Files.exists(out));
    assertNull(heard.summary.report());
  }

  @Test
  void shouldRefuseAPairForSeveralJobsOrForOneFile() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 2);
    String one = folder.resolve("p.json").toString();
    assertEquals(
        2, run(BatchTesting.options(out, inputs).proofFile(one).publicFile("-"), new FakeEngine()));
    List<String> single = inputs.subList(0, 1);
    assertEquals(2, run(BatchTesting.options(out, single).proofFile(one), new FakeEngine()));
    assertEquals(
        2, run(BatchTesting.options(out, single).proofFile(one).publicFile(one), new FakeEngine()));
    String alias = folder + "/./p.json";
    assertEquals(
        2,
        run(BatchTesting.options(out, single).proofFile(one).publicFile(alias), new FakeEngine()));
    assertEquals(
        2,
        run(
            BatchTesting.options(out, single).proofFile(inputs.get(0)).publicFile(one),
            new FakeEngine()));
    assertEquals(
        9,
        run(
            BatchTesting.options(out, single).proofFile(folder + "/none/p.json").publicFile(one),
            new FakeEngine()));
    assertFalse(Files.exists(Path.of(one)));
  }

  @Test
  void shouldMakeNoFolderForAListThatIsNotThere() {
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of()).filesFrom(folder.resolve("none").toString());
    assertEquals(3, run(options, new FakeEngine()));
    assertFalse(Files.exists(out));
  }

  @Test
  void shouldRefuseToOverwriteAnInput() throws IOException {
    Path input = BatchTesting.witness(out.resolve("proofs/w.proof.json"), 1);
    Path alias = Files.createSymbolicLink(folder.resolve("w.wtns"), input);
    assertEquals(2, run(BatchTesting.options(out, List.of(alias.toString())), new FakeEngine()));
    assertTrue(heard.firstError().contains("would be overwritten"));
  }

  @Test
  void shouldStreamAList() throws IOException {
    Path in = folder.resolve("in");
    BatchTesting.witnesses(in, 3);
    String list =
        in.resolve("w0.wtns")
            + "\nrenamed\t"
            + in.resolve("w1.wtns")
            + "\n\n"
            + in.resolve("missing.wtns")
            + "\nbad name\t"
            + in.resolve("w2.wtns")
            + "\n"
            + in.resolve("w0.wtns")
            + "\n"
            + in.resolve("w2.wtns");
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of())
            .filesFrom("-")
            .standardInput(new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)));
    FakeEngine engine = new FakeEngine();
    assertEquals(8, run(options, engine));
    assertEquals(List.of("w0", "renamed", "w2"), engine.proved);
    assertEquals(3, heard.summary.failed());
    assertEquals(-1, heard.started.jobs());
  }

  @Test
  void shouldFailAJobOfAListAloneWhoseKeyTheDevicesAreNotFor() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 2);
    Path manifest = BatchTesting.manifest(folder.resolve("jobs.json"), inputs);
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of())
            .key(null)
            .allowOutside(true)
            .filesFrom("-")
            .standardInput(new ByteArrayInputStream((manifest + "\n").getBytes()));
    FakeEngine small = new FakeEngine();
    small.largestDomainLog2 = 1;
    assertEquals(5, run(options, small));
    assertEquals(List.of(), small.expectedDomains);
    assertEquals(List.of(), small.proved);
    assertEquals(2, heard.errors.size());
    assertEquals("w1", heard.errors.get(1).name());
    FakeEngine large = new FakeEngine();
    options.standardInput(new ByteArrayInputStream((manifest + "\n").getBytes()));
    assertEquals(0, run(options, large));
    assertEquals(List.of("w0", "w1"), large.proved);
  }

  @Test
  void shouldGoOnAfterAJobOfAListedContainerThatCannotBegin() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 3);
    Path manifest = BatchTesting.manifest(folder.resolve("jobs.json"), inputs);
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of())
            .allowOutside(true)
            .filesFrom("-")
            .standardInput(
                new ByteArrayInputStream((inputs.get(1) + "\n" + manifest + "\n").getBytes()));
    FakeEngine engine = new FakeEngine();
    assertEquals(8, run(options, engine));
    assertEquals(List.of("w1", "w0", "w2"), engine.proved);
    assertTrue(heard.firstError().contains("occurred before"));
  }

  @Test
  void shouldExpectTheKeysInsideContainersOfTheJobsToBeProved() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 2);
    Path manifest = BatchTesting.manifest(folder.resolve("jobs.json"), inputs);
    FakeEngine engine = new FakeEngine();
    assertEquals(
        0,
        run(
            BatchTesting.options(out, List.of(manifest.toString())).key(null).allowOutside(true),
            engine));
    assertEquals(2, engine.expectedDomains.size());
    assertTrue(engine.expectedDomains.get(0) > 1);
    assertEquals(2, engine.expectedProofs);
  }

  @Test
  void shouldReadNamesThatEndWithNul() throws IOException {
    Path in = folder.resolve("in");
    BatchTesting.witnesses(in, 1);
    Path odd = BatchTesting.witness(in.resolve("a\nb.wtns"), 5);
    Path list =
        Files.writeString(folder.resolve("list"), in.resolve("w0.wtns") + "\0good\t" + odd + "\0");
    FakeEngine engine = new FakeEngine();
    assertEquals(
        0,
        run(
            BatchTesting.options(out, List.of()).filesFrom(list.toString()).filesFromNul(true),
            engine));
    assertEquals(List.of("w0", "good"), engine.proved);
  }

  @Test
  void shouldStartWithTheFirstNameAndObeyAStopWhileTheListIsSilent() throws Exception {
    Path in = folder.resolve("in");
    BatchTesting.witnesses(in, 1);
    InputStream silent =
        new InputStream() {
          private final byte[] first = (in.resolve("w0.wtns") + "\n").getBytes();
          private int at;

          @Override
          public int read() throws IOException {
            if (at < first.length) {
              return first[at++];
            }
            try {
              Thread.sleep(60_000);
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return -1;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            int next = read();
            if (next < 0) {
              return -1;
            }
            target[offset] = (byte) next;
            return 1;
          }
        };
    FakeEngine engine = new FakeEngine();
    BatchRunner runner =
        new BatchRunner(
            BatchTesting.options(out, List.of()).filesFrom("-").standardInput(silent).build(),
            engine,
            heard);
    Thread stopper =
        new Thread(
            () -> {
              while (engine.proved.isEmpty()) {
                Thread.onSpinWait();
              }
              runner.stop(143, "SIGTERM");
            });
    stopper.start();
    assertEquals(143, runner.run());
    stopper.join();
    assertEquals(List.of("w0"), engine.proved);
    assertTrue(Files.exists(out.resolve("report.json")));
  }

  @Test
  void shouldGiveUpReadingASilentPipeWhenTheTimeLimitIsOver() throws Exception {
    CountDownLatch abandoned = new CountDownLatch(1);
    InputStream silent =
        new InputStream() {
          @Override
          public int read() throws IOException {
            try {
              abandoned.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return -1;
          }
        };
    List<Integer> codes = new ArrayList<>();
    BatchTesting.Heard listener =
        new BatchTesting.Heard() {
          @Override
          public void abandoned(int exitCode) {
            assertNotNull(summary);
            codes.add(exitCode);
            abandoned.countDown();
          }
        };
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of("-"))
            .timeLimit(Duration.ofMillis(20))
            .grace(Duration.ofMillis(20))
            .standardInput(silent);
    new BatchRunner(options.build(), new FakeEngine(), listener).run();
    assertEquals(List.of(10), codes);
    assertTrue(listener.firstError().startsWith("time limit"), listener.firstError());
    assertFalse(Files.exists(out.resolve("proofs/stdin.proof.json")));
  }

  @Test
  void shouldStopWhileNobodyWritesToThePipeOfNames() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    BatchOptions.Builder options =
        BatchTesting.options(out, List.of())
            .filesFrom(pipe.toString())
            .timeLimit(Duration.ofMillis(50));
    assertEquals(10, run(options, new FakeEngine()));
    assertTrue(Files.exists(out.resolve("report.json")));
  }

  @Test
  void shouldDropWhatATimeLimitLeaves() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 3);
    FakeEngine engine = new FakeEngine();
    engine.onSubmit =
        job -> {
          if (job.name().equals("w1")) {
            try {
              Thread.sleep(2_000);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    assertEquals(
        10, run(BatchTesting.options(out, inputs).timeLimit(Duration.ofMillis(1_500)), engine));
    assertEquals(JobStatus.DROPPED, heard.statusOf("w2"));
    FakeEngine rest = new FakeEngine();
    assertEquals(0, run(BatchTesting.options(out, inputs).resume(true), rest));
    assertEquals(List.of("w1", "w2"), rest.proved);
  }

  @Test
  void shouldHaltAfterAFailureWhenAsked() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 3);
    Files.createDirectories(out.resolve("proofs/w0.public.json"));
    FakeEngine engine = new FakeEngine();
    assertEquals(12, run(BatchTesting.options(out, inputs).halt(BatchOptions.Halt.SOON), engine));
    assertEquals(List.of("w0"), engine.proved);
    assertEquals(2, heard.summary.dropped());
  }

  @Test
  void shouldProveItsShardOnly() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 8);
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      FakeEngine engine = new FakeEngine();
      assertEquals(0, run(BatchTesting.options(out, inputs).shard(new Shard(i, 3)), engine));
      all.addAll(engine.proved);
      assertTrue(Files.exists(out.resolve("shards/" + i + "-of-3/journal.jsonl")));
    }
    assertEquals(8, all.stream().distinct().count());
    assertEquals(8, all.size());
  }

  @Test
  void shouldEndWithTheClassOfAnEngineThatCannotStart() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    BatchRunner.Starter broken =
        new BatchRunner.Starter() {
          @Override
          public RunningEngine start(ProofSink sink, Timeline timeline) throws Exception {
            throw new JobFailure(FailureClass.MEMORY, "too little memory");
          }

          @Override
          public List<DeviceFacts> devices() {
            return List.of();
          }
        };
    assertEquals(
        6, new BatchRunner(BatchTesting.options(out, inputs).build(), broken, heard).run());
    assertTrue(Files.exists(out.resolve("report.json")));
  }

  @Test
  void shouldKeepTheTraceOfAnInternalError() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    FakeEngine engine = new FakeEngine();
    engine.onSubmit =
        job -> {
          throw new IllegalStateException("a bug");
        };
    assertEquals(70, run(BatchTesting.options(out, inputs), engine));
    assertTrue(Files.readString(out.resolve("crash.txt")).contains("a bug"));
  }

  @Test
  void shouldReportLostStandardOutputAtTheEnd() throws IOException {
    List<String> inputs = BatchTesting.witnesses(folder.resolve("in"), 1);
    heard.outputFails = true;
    assertEquals(
        9,
        new BatchRunner(BatchTesting.options(out, inputs).build(), new FakeEngine(), heard).run());
    assertEquals(2, proofs().size());
  }
}
