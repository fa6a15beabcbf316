package dev.cuzk.cli;

import dev.cuzk.format.InputException;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.SnarkjsJson;
import dev.cuzk.proof.SolidityCalldata;
import dev.cuzk.proof.SolidityVerifier;
import dev.cuzk.proof.VerifyingKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk export}: verifying keys, Solidity verifiers and their calldata. */
@Command(
    name = "export",
    header = "Exports a verifying key, a Solidity verifier or calldata.",
    description = {
      "vk KEY: the verifying key in snarkjs' JSON, or with -o FILE.vk as bellman has it"
          + " (BLS12-381; KEY must be a proving key or a .vk). solidity KEY: a verifier contract"
          + " (BN254)."
          + " calldata PROOF PUBLIC: the arguments of its verifyProof."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk export vk circuit.zkey -o verification_key.json",
      "  cuzk export vk circuit.params -o circuit.vk",
      "  cuzk export solidity circuit.zkey -o Verifier.sol",
      "  cuzk export calldata proof.json public.json"
    })
final class ExportCommand extends BaseCommand {
  /** What to export. */
  enum What {
    VK,
    SOLIDITY,
    CALLDATA
  }

  @Parameters(index = "0", paramLabel = "WHAT", description = "vk, solidity or calldata.")
  What what;

  @Parameters(
      index = "1..*",
      arity = "1..2",
      paramLabel = "FILE",
      description =
          "A proving key (.zkey, .params) or verifying key (JSON, .vk); calldata: PROOF and"
              + " PUBLIC.")
  List<Path> files = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to FILE instead of standard output.")
  Path output;

  @Option(
      names = "--strict",
      fallbackValue = "true",
      description = "Warnings about the key become errors (exit 3).")
  boolean strict;

  @Override
  int run() throws InputException, CommandFailure {
    if (files.size() != (what == What.CALLDATA ? 2 : 1)) {
      throw usage(
          CommandTable.lower(what)
              + (what == What.CALLDATA ? " takes a PROOF and its PUBLIC file" : " takes one KEY"));
    }
    if (what == What.VK && output != null && output.toString().endsWith(".vk")) {
      return bellman();
    }
    String text =
        switch (what) {
          case VK -> SnarkjsJson.verifyingKey(key());
          case SOLIDITY -> solidity(key());
          case CALLDATA -> calldata();
        };
    if (output != null) {
      write(text.endsWith("\n") ? text : text + "\n");
      if (console().isJson()) {
        console().result(Json.write(Map.of("file", output.toString())));
      }
    } else if (console().isJson() && what != What.VK) {
      console().result(Json.write(Map.of(CommandTable.lower(what), text)));
    } else {
      console().result(text.stripTrailing());
    }
    return ExitCode.OK;
  }

  /** bellman's form has beta and delta in G1 too, which only proving keys and .vk files hold. */
  private int bellman() throws InputException, CommandFailure {
    Path file = files.get(0);
    VerifyingKey key = key();
    if (key.curve() != CurveId.BLS12_381) {
      throw new InputException(
          file.toString(),
          "a .vk file is over bls12-381 alone (found " + key.curve().printedName() + ")");
    }
    BellmanVerifyingKey complete;
    InputKind kind = InputKind.of(file);
    if (VerifyingKeys.isBellman(kind)) {
      complete = VerifyingKeys.bellman(file);
    } else if (kind == InputKind.PROVING_KEY) {
      try (ZkeyKey proving = ZkeyKey.open(file)) {
        complete = proving.bellmanVerifyingKey();
      }
    } else {
      throw new InputException(
          file.toString(),
          "a .vk file needs beta and delta in G1, which this file does not hold. Give the proving"
              + " key.");
    }
    OutputFiles.write(output, complete.toBytes());
    if (console().isJson()) {
      console().result(Json.write(Map.of("file", output.toString())));
    }
    return ExitCode.OK;
  }

  private VerifyingKey key() throws InputException {
    return VerifyingKeys.read(files.get(0), strict, console());
  }

  private String solidity(VerifyingKey key) throws InputException {
    requireBn254(files.get(0), key.curve());
    return SolidityVerifier.of(key);
  }

  private String calldata() throws InputException {
    SnarkjsDocument first = SnarkjsDocument.read(files.get(0));
    SnarkjsDocument second = SnarkjsDocument.read(files.get(1));
    boolean swapped = first.kind() == SnarkjsDocument.Kind.PUBLIC_SIGNALS;
    SnarkjsDocument proof = swapped ? second : first;
    SnarkjsDocument signals = swapped ? first : second;
    requireBn254(Path.of(proof.file()), proof.curve().orElse(CurveId.BN254));
    return SolidityCalldata.of(proof.proof(CurveId.BN254), signals.publicSignals(CurveId.BN254));
  }

  private static void requireBn254(Path file, CurveId curve) throws InputException {
    if (curve != CurveId.BN254) {
      throw new InputException(
          file.toString(),
          "Ethereum's precompiled contracts know one curve (expected bn254, found "
              + curve.printedName()
              + ")");
    }
  }

  private void write(String text) throws CommandFailure {
    OutputFiles.write(output, text.getBytes(StandardCharsets.UTF_8));
  }
}
