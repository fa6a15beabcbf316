package dev.cuzk.batch;

import dev.cuzk.engine.JobFailure;
import dev.cuzk.format.SpecialFiles;
import dev.cuzk.proof.ProofBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the proofs of complete jobs go. */
interface Outputs {
  /**
   * Writes the files of jobs that are complete; notes in each what became of it. Never leaves a
   * file in part under its final name.
   */
  void write(List<JobState> jobs);

  /** The files that a job's results will have. */
  List<Path> filesOf(JobSpec job);

  /** Keeps evidence of a device's fault; a run without a folder keeps none. */
  default void keep(String name, byte[] evidence) throws IOException {}

  /** Whether a job's files are there with exactly the content they would get now. */
  boolean upToDate(JobState job) throws IOException;

  /** {@code proofs/NAME.proof.json}, {@code proofs/NAME.public.json} and {@code keys/}. */
  final class ToFolder implements Outputs {
    private final OutputFolder folder;
    private final BatchOptions.ProofFormat format;
    private final Set<String> keysWritten = new HashSet<>();

    ToFolder(OutputFolder folder, BatchOptions.ProofFormat format) {
      this.folder = folder;
      this.format = format;
    }

    @Override
    public List<Path> filesOf(JobSpec job) {
      return filesOf(folder.proofs(), job, format);
    }

    @Override
    public void keep(String name, byte[] evidence) throws IOException {
      Path place = Files.createDirectories(folder.path().resolve(OutputFolder.EVIDENCE));
      AtomicFiles.write(place.resolve(name), evidence);
    }

    static List<Path> filesOf(Path proofs, JobSpec job, BatchOptions.ProofFormat format) {
      return List.of(
          proofs.resolve(job.name() + ProofFiles.proofEnding(job, format)),
          proofs.resolve(job.name() + ProofFiles.PUBLIC_ENDING));
    }

    /** The files of a job's results in an output folder, in whatever encoding they are. */
    static List<Path> filesThere(Path folder, JournalLine job) {
      Path proofs = folder.resolve(OutputFolder.PROOFS);
      Path proof = proofs.resolve(job.name() + ProofFiles.PROOF_ENDING);
      if (!job.kind().equals(JobSpec.CIRCOM)) {
        Path raw = proofs.resolve(job.name() + ProofFiles.FILECOIN_ENDING);
        proof =
            Arrays.stream(ProofBytes.Encoding.values())
                .map(encoding -> raw.resolveSibling(raw.getFileName() + encoding.ending()))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(raw);
      }
      return List.of(proof, proofs.resolve(job.name() + ProofFiles.PUBLIC_ENDING));
    }

    @Override
    public void write(List<JobState> jobs) {
      try {
        Map<Path, byte[]> contents = new LinkedHashMap<>();
        for (JobState job : jobs) {
          contents.putAll(contentsOf(job));
        }
        AtomicFiles.writeAll(contents);
        jobs.forEach(this::written);
      } catch (IOException e) {
        // One of them is at fault: written one by one, only that one fails.
        jobs.forEach(this::writeAlone);
      }
    }

    private void writeAlone(JobState job) {
      try {
        AtomicFiles.writeAll(contentsOf(job));
        written(job);
      } catch (IOException e) {
        job.writeFailure = Failures.unwritable(filesOf(job.spec).get(0), e);
      }
    }

    private void written(JobState job) {
      keysWritten.add(job.spec.key().verifyingKeySha256());
      job.files = filesOf(job.spec).stream().map(Path::toString).toList();
    }

    private Map<Path, byte[]> contentsOf(JobState job) {
      Map<Path, byte[]> contents = new LinkedHashMap<>();
      String key = job.spec.key().verifyingKeySha256();
      if (!keysWritten.contains(key)) {
        contents.put(OutputFolder.keyFile(folder.keys(), key), job.spec.key().verifyingKeyFile());
      }
      contents.putAll(proofContents(job));
      return contents;
    }

    private Map<Path, byte[]> proofContents(JobState job) {
      List<Path> files = filesOf(job.spec);
      Map<Path, byte[]> contents = new LinkedHashMap<>();
      contents.put(files.get(0), ProofFiles.proof(job, format));
      contents.put(files.get(1), ProofFiles.publicInputs(job, format));
      return contents;
    }

    @Override
    public boolean upToDate(JobState job) throws IOException {
      for (Map.Entry<Path, byte[]> expected : contentsOf(job).entrySet()) {
        if (!Files.isRegularFile(expected.getKey())
            || Files.size(expected.getKey()) != expected.getValue().length
            || !Arrays.equals(Files.readAllBytes(expected.getKey()), expected.getValue())) {
          return false;
        }
      }
      written(job);
      return true;
    }
  }

  /** The two named files of a run of one job; {@code -} is standard output. */
  final class ToPair implements Outputs {
    private static final String STANDARD_OUTPUT = "-";

    private final String proof;
    private final String publicInputs;
    private final BatchOptions.ProofFormat format;
    private final OutputStream standardOutput;

    ToPair(BatchOptions options) {
      this.proof = options.proofFile();
      this.publicInputs = options.publicFile();
      this.format = options.format();
      this.standardOutput = options.standardOutput();
    }

    /** Shows that both files can be made, before anything costly is begun. */
    void prepare() throws JobFailure {
      for (String name : List.of(proof, publicInputs)) {
        if (name.equals(STANDARD_OUTPUT)) {
          continue;
        }
        Path file = Path.of(name);
        try {
          if (SpecialFiles.isWrittenInPlace(file)) {
            continue;
          }
          Path probe = AtomicFiles.temporaryFor(file);
          Files.write(probe, new byte[1]);
          Files.delete(probe);
        } catch (IOException e) {
          throw Failures.unwritable(file, e);
        }
      }
    }

    @Override
    public List<Path> filesOf(JobSpec job) {
      return List.of(proof, publicInputs).stream()
          .filter(name -> !name.equals(STANDARD_OUTPUT))
          .map(Path::of)
          .toList();
    }

    @Override
    public void write(List<JobState> jobs) {
      for (JobState job : jobs) {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        contents.put(proof, ProofFiles.proof(job, format));
        contents.put(publicInputs, ProofFiles.publicInputs(job, format));
        String current = proof;
        try {
          Map<Path, byte[]> files = new LinkedHashMap<>();
          for (Map.Entry<String, byte[]> entry : contents.entrySet()) {
            if (!entry.getKey().equals(STANDARD_OUTPUT)) {
              files.put(Path.of(entry.getKey()), entry.getValue());
            }
          }
          AtomicFiles.writeAll(files);
          current = "standard output";
          if (contents.containsKey(STANDARD_OUTPUT)) {
            standardOutput.write(contents.get(STANDARD_OUTPUT));
            standardOutput.flush();
          }
          job.files = files.keySet().stream().map(Path::toString).toList();
        } catch (IOException e) {
          job.writeFailure = Failures.unwritable(Path.of(current), e);
        }
      }
    }

    @Override
    public boolean upToDate(JobState job) {
      return false;
    }
  }
}
