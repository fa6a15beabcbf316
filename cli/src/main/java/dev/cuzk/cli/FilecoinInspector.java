package dev.cuzk.cli;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.filecoin.C1File;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.FilecoinFormat;
import dev.cuzk.format.filecoin.PostSectorProof;
import dev.cuzk.format.filecoin.UpdatePartitionProof;
import dev.cuzk.format.filecoin.VanillaProofs;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.ProofBytes;
import dev.cuzk.proof.VerifyingKeyCheck;
import dev.cuzk.synthesis.filecoin.Hash32;
import dev.cuzk.synthesis.filecoin.PorepCheck;
import dev.cuzk.synthesis.filecoin.PorepStatement;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Looks into Filecoin's files, as far as they can be checked without a job's facts. */
final class FilecoinInspector {
  private FilecoinInspector() {}

  /** Adds what a file of that kind says. */
  static void inspect(InputKind kind, Path file, FileInspector.Finding finding)
      throws InputException {
    try (ByteSource source = FileRange.whole(file).open()) {
      switch (kind) {
        case PARAMS, BELLMAN_VERIFYING_KEY -> key(source, finding);
        case PROOF_BYTES -> proofs(source, finding.facts());
        case C1 -> seal(source, finding);
        case POST_SECTOR -> sectors(source, finding.facts());
        case UPDATE_PARTITION -> partitions(source, finding.facts());
        case VANILLA_ARRAY -> array(source, finding.facts());
        default -> throw new IllegalArgumentException(kind.name());
      }
    }
  }

  private static void key(ByteSource source, FileInspector.Finding finding) throws InputException {
    Map<String, Object> facts = finding.facts();
    try (ParamsFile file = ParamsFile.open(source)) {
      facts.put("protocol", "groth16");
      facts.put("curve", ParamsFile.CURVE.printedName());
      facts.put("public_inputs", file.count(ParamsFile.Section.IC) - 1);
      if (!file.isVerifyingKey()) {
        long domain = file.count(ParamsFile.Section.H) + 1;
        facts.put(
            "variables", file.count(ParamsFile.Section.IC) + file.count(ParamsFile.Section.L));
        facts.put("domain", domain);
        facts.put("domain_log2", Long.numberOfTrailingZeros(domain));
      }
      for (ParamsFile.Section section : ParamsFile.Section.values()) {
        if (file.count(section) > 0) {
          facts.put(section.title() + "_points", file.count(section));
        }
      }
      for (VerifyingKeyCheck.Finding each :
          VerifyingKeyCheck.check(BellmanVerifyingKey.read(file).key(), null)) {
        if (each.fatal()) {
          throw new InputException(source.name(), each.message());
        }
        finding.warnings().add(each.message());
      }
    }
  }

  private static void proofs(ByteSource source, Map<String, Object> facts) throws InputException {
    byte[] content = new byte[(int) source.length()];
    source.read(0, ByteBuffer.wrap(content));
    facts.put("curve", CurveId.BLS12_381.printedName());
    facts.put("encoding", CommandTable.lower(ProofBytes.encodingOf(content)));
    facts.put("partitions", ProofBytes.decode(source.name(), content).size());
  }

  private static void seal(ByteSource source, FileInspector.Finding finding) throws InputException {
    C1Output c1 = C1File.read(source);
    Map<String, Object> facts = finding.facts();
    facts.put("format", c1.format());
    facts.put("registered_proof", c1.proof().name());
    facts.put("sector_size", c1.proof().sizeLabel());
    c1.sectorNumber().ifPresent(number -> facts.put("sector_number", number));
    facts.put("partitions", c1.partitions().size());
    facts.put("challenges", c1.partitions().stream().mapToInt(List::size).sum());
    facts.put("comm_r", hash(c1.bytes(), c1.commR()).toString());
    facts.put("comm_d", hash(c1.bytes(), c1.commD()).toString());
    facts.put("replica_id", hash(c1.bytes(), c1.replicaId()).toString());
    if (!PorepStatement.supports(c1.proof())) {
      finding.warnings().add("this version does not prove seals of type " + c1.proof().name());
      return;
    }
    PorepCheck.requireShape(
        c1,
        new PorepStatement(
            SectorShape.ofLabel(c1.proof().sizeLabel()).orElseThrow(),
            c1.proof(),
            hash(c1.bytes(), c1.replicaId()),
            hash(c1.bytes(), c1.commD()),
            hash(c1.bytes(), c1.commR()),
            hash(c1.bytes(), c1.seed())));
  }

  private static Hash32 hash(byte[] bytes, int offset) {
    return Hash32.of(bytes, offset);
  }

  private static void sectors(ByteSource source, Map<String, Object> facts) throws InputException {
    List<PostSectorProof> sectors = VanillaProofs.readSectors(source);
    facts.put("sectors", sectors.stream().map(PostSectorProof::sectorId).toList());
    facts.put("challenges", sectors.stream().mapToInt(each -> each.inclusions().size()).sum());
  }

  private static void partitions(ByteSource source, Map<String, Object> facts)
      throws InputException {
    List<UpdatePartitionProof> partitions = VanillaProofs.readPartitions(source);
    facts.put("partitions", partitions.size());
    facts.put("challenges", partitions.stream().mapToInt(each -> each.challenges().size()).sum());
    facts.put("apex_leaves", partitions.get(0).apexLeafCount());
  }

  private static void array(ByteSource source, Map<String, Object> facts) throws InputException {
    if (VanillaProofs.elementFormat(source).orElse(null) == FilecoinFormat.UPDATE_PARTITION) {
      partitions(source, facts);
    } else {
      sectors(source, facts);
    }
  }
}
