package dev.cuzk.synthesis.filecoin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import dev.cuzk.format.filecoin.C1File;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.FactText;
import dev.cuzk.format.filecoin.PostSectorProof;
import dev.cuzk.format.filecoin.RegisteredProof;
import dev.cuzk.format.filecoin.UpdatePartitionProof;
import dev.cuzk.format.filecoin.VanillaProofs;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** A folder of the reference's vectors (shared filecoin/VECTORS.md). */
record FilecoinCase(Path folder, JsonNode facts) {
  private static final Path VECTORS = TestFiles.shared("filecoin");

  /** All cases whose folder's path has this in it; none where there are no vectors. */
  static Stream<FilecoinCase> all(String part) throws IOException {
    if (!Files.isDirectory(VECTORS)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.walk(VECTORS, 4)) {
      List<FilecoinCase> cases = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        String name = VECTORS.relativize(file).toString();
        if (name.endsWith("case.json") && name.contains(part)) {
          cases.add(new FilecoinCase(file.getParent(), new ObjectMapper().readTree(file.toFile())));
        }
      }
      return cases.stream();
    }
  }

  private byte[] content(String name) throws IOException {
    Path file = folder.resolve(name);
    if (Files.exists(file)) {
      return Files.readAllBytes(file);
    }
    try (GZIPInputStream in =
        new GZIPInputStream(Files.newInputStream(folder.resolve(name + ".gz")))) {
      return in.readAllBytes();
    }
  }

  C1Output c1() throws IOException, InputException {
    return C1File.read(ByteSource.of("c1.bincode", content("c1.bincode")));
  }

  List<PostSectorProof> sectors() throws IOException, InputException {
    List<PostSectorProof> sectors = new ArrayList<>();
    for (JsonNode sector : facts.get("sectors")) {
      String name = "vanilla-sector-" + sector.get("sector_id").asLong() + ".bin";
      sectors.addAll(VanillaProofs.readSectors(ByteSource.of(name, content(name))));
    }
    return sectors;
  }

  List<UpdatePartitionProof> partitionProofs() throws IOException, InputException {
    int partitions = 1 << shape().updatePartitionsLog2();
    List<UpdatePartitionProof> proofs = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      String name = String.format(partitions > 9 ? "partition-%02d" : "partition-%d", i);
      proofs.addAll(
          VanillaProofs.readPartitions(ByteSource.of(name, content(name + ".vanilla.bin"))));
    }
    return proofs;
  }

  SectorShape shape() {
    return SectorShape.ofBytes(facts.get("sector_size").asLong()).orElseThrow();
  }

  RegisteredProof proof(RegisteredProof.Kind kind) {
    String name = facts.get("registered_proof").asText().split(" ")[0];
    return RegisteredProof.parse(kind, name).orElseThrow();
  }

  Hash32 hash(String fact) {
    return Hash32.of(FactText.commitment(facts.get(fact).asText()).orElseThrow());
  }

  PorepStatement porep() {
    return new PorepStatement(
        shape(),
        proof(RegisteredProof.Kind.SEAL),
        hash("replica_id"),
        hash("comm_d"),
        hash("comm_r"),
        hash("seed"));
  }

  PostStatement post() {
    boolean winning = facts.get("registered_proof").asText().contains("Winning");
    List<PostStatement.Sector> sectors = new ArrayList<>();
    for (JsonNode sector : facts.get("sectors")) {
      sectors.add(
          new PostStatement.Sector(
              sector.get("sector_id").asLong(),
              Hash32.of(FactText.commitment(sector.get("comm_r").asText()).orElseThrow())));
    }
    return new PostStatement(
        shape(),
        proof(winning ? RegisteredProof.Kind.WINNING_POST : RegisteredProof.Kind.WINDOW_POST),
        hash("randomness"),
        sectors,
        0);
  }

  UpdateStatement update() {
    return new UpdateStatement(shape(), hash("comm_r_old"), hash("comm_r_new"), hash("comm_d_new"));
  }

  /** The reference's public inputs; partitions that it did not synthesize are not there. */
  List<List<BigInteger>> publicInputs() {
    List<List<BigInteger>> all = new ArrayList<>();
    for (JsonNode partition : facts.get("partitions")) {
      List<BigInteger> inputs = new ArrayList<>();
      partition.get("public_inputs").forEach(each -> inputs.add(new BigInteger(each.asText())));
      all.add(inputs);
    }
    return all;
  }

  @Override
  public String toString() {
    return VECTORS.relativize(folder).toString();
  }
}
