package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What a container or a {@code jobs.json} asks for: keys, programs and constraint systems under
 * ids, and the jobs that use them. Values are checked for form when a manifest is read, not for
 * meaning; ids that jobs refer to exist.
 */
public record Manifest(
    List<Key> keys, List<Program> programs, List<ConstraintSystem> systems, List<Job> jobs) {
  /** What names of jobs, and ids, look like. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /** The version of the manifest that is read and written. */
  public static final int VERSION = 1;

  public Manifest {
    keys = List.copyOf(keys);
    programs = List.copyOf(programs);
    systems = List.copyOf(systems);
    jobs = List.copyOf(jobs);
  }

  /**
   * Some bytes: a section of the container, or a file.
   *
   * @param section id of the section; empty for a file
   * @param path relative to the container or manifest; empty for a section
   * @param format what the bytes are
   * @param bytes how many
   * @param sha256 64 lower-case hex digits
   * @param pointer JSON pointer to it, for messages
   */
  public record Ref(
      OptionalLong section,
      Optional<String> path,
      String format,
      OptionalLong bytes,
      Optional<String> sha256,
      String pointer) {
    /** A section. */
    public static Ref toSection(long section, String format, long bytes, String sha256) {
      return new Ref(
          OptionalLong.of(section),
          Optional.empty(),
          format,
          OptionalLong.of(bytes),
          Optional.of(sha256),
          "");
    }
  }

  /** A proving key; its reference's format is {@code zkey} or {@code params}. */
  public record Key(String id, CurveId curve, Ref file, Optional<Ref> verifyingKey) {}

  /** A circom witness program; its reference's format is {@code circom-wasm}. */
  public record Program(String id, Ref file) {}

  /** A constraint system; its reference's format is {@code r1cs}. */
  public record ConstraintSystem(String id, Ref file) {}

  /**
   * One proof file to make.
   *
   * @param priority 0 … 99
   * @param key id of a key; Filecoin jobs may leave it out
   * @param pointer JSON pointer to the job, for messages
   */
  public record Job(
      String name, OptionalInt priority, Optional<String> key, Work work, String pointer) {}

  /** What a job proves. */
  public sealed interface Work {
    /** The manifest's word for it: {@code circom}, {@code porep} … */
    String kind();

    /** The bytes that it reads. */
    List<Ref> refs();

    /** The same work on other bytes. */
    Work mapRefs(UnaryOperator<Ref> change);
  }

  /**
   * A circom circuit: a ready witness, or a program and its input.
   *
   * @param witness format {@code wtns}; empty if there is a program
   * @param program id of a program
   * @param input format {@code circom-json}; there if and only if the program is
   * @param system id of a constraint system to check the witness with first
   */
  public record Circom(
      Optional<Ref> witness, Optional<String> program, Optional<Ref> input, Optional<String> system)
      implements Work {
    @Override
    public String kind() {
      return "circom";
    }

    @Override
    public List<Ref> refs() {
      return List.of(witness.or(() -> input).orElseThrow());
    }

    @Override
    public Circom mapRefs(UnaryOperator<Ref> change) {
      return new Circom(witness.map(change), program, input.map(change), system);
    }
  }

  /**
   * A Filecoin PoRep C2.
   *
   * @param sectorSize bytes
   * @param registeredProof a name, or {@code go:N}
   * @param input format {@code c1-envelope}, {@code c1-json} or {@code c1-bincode}
   */
  public record Porep(
      long sectorSize, String registeredProof, OptionalLong minerId, long sectorNumber, Ref input)
      implements Work {
    @Override
    public String kind() {
      return "porep";
    }

    @Override
    public List<Ref> refs() {
      return List.of(input);
    }

    @Override
    public Porep mapRefs(UnaryOperator<Ref> change) {
      return new Porep(sectorSize, registeredProof, minerId, sectorNumber, change.apply(input));
    }
  }

  /**
   * A Filecoin SnapDeals update. Commitments are 64 hex digits in memory order, or CIDs.
   *
   * @param inputs one {@code partition-proof-bincode} a partition, or one {@code base64-array}
   */
  public record Snap(
      long sectorSize,
      String registeredProof,
      String commROld,
      String commRNew,
      String commDNew,
      List<Ref> inputs)
      implements Work {
    public Snap {
      inputs = List.copyOf(inputs);
    }

    @Override
    public String kind() {
      return "snap";
    }

    @Override
    public List<Ref> refs() {
      return inputs;
    }

    @Override
    public Snap mapRefs(UnaryOperator<Ref> change) {
      return new Snap(
          sectorSize,
          registeredProof,
          commROld,
          commRNew,
          commDNew,
          inputs.stream().map(change).toList());
    }
  }

  /**
   * A Filecoin WindowPoSt.
   *
   * @param randomness 32 bytes, 64 hex digits or base64
   * @param partitionIndex the one partition of mode {@code single}; empty in mode {@code chunk}
   * @param inputs one {@code post-sector-bincode} a sector, or one {@code base64-array}
   */
  public record WindowPost(
      long sectorSize,
      String registeredProof,
      String randomness,
      OptionalLong partitionIndex,
      List<Ref> inputs)
      implements Work {
    public WindowPost {
      inputs = List.copyOf(inputs);
    }

    @Override
    public String kind() {
      return "window-post";
    }

    @Override
    public List<Ref> refs() {
      return inputs;
    }

    @Override
    public WindowPost mapRefs(UnaryOperator<Ref> change) {
      return new WindowPost(
          sectorSize,
          registeredProof,
          randomness,
          partitionIndex,
          inputs.stream().map(change).toList());
    }
  }

  /** A Filecoin WinningPoSt; fields as for {@link WindowPost}. */
  public record WinningPost(long sectorSize, String registeredProof, String randomness, Ref input)
      implements Work {
    @Override
    public String kind() {
      return "winning-post";
    }

    @Override
    public List<Ref> refs() {
      return List.of(input);
    }

    @Override
    public WinningPost mapRefs(UnaryOperator<Ref> change) {
      return new WinningPost(sectorSize, registeredProof, randomness, change.apply(input));
    }
  }

  /** Every reference in it. */
  public List<Ref> refs() {
    List<Ref> refs = new ArrayList<>();
    for (Key key : keys) {
      refs.add(key.file());
      key.verifyingKey().ifPresent(refs::add);
    }
    programs.forEach(program -> refs.add(program.file()));
    systems.forEach(system -> refs.add(system.file()));
    jobs.forEach(job -> refs.addAll(job.work().refs()));
    return refs;
  }

  /** The same manifest with each reference replaced, as packing does with paths. */
  public Manifest mapRefs(UnaryOperator<Ref> change) {
    return new Manifest(
        keys.stream()
            .map(
                key ->
                    new Key(
                        key.id(),
                        key.curve(),
                        change.apply(key.file()),
                        key.verifyingKey().map(change)))
            .toList(),
        programs.stream().map(p -> new Program(p.id(), change.apply(p.file()))).toList(),
        systems.stream().map(s -> new ConstraintSystem(s.id(), change.apply(s.file()))).toList(),
        jobs.stream()
            .map(
                job ->
                    new Job(
                        job.name(),
                        job.priority(),
                        job.key(),
                        job.work().mapRefs(change),
                        job.pointer()))
            .toList());
  }
}
