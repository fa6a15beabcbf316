package dev.cuzk.cli;

import dev.cuzk.key.ParameterCache;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Facts about Filecoin inputs that their files do not hold. None has a default. */
final class FilecoinOptions {
  private static final String FOLDER_VARIABLE = "FIL_PROOFS_PARAMETER_CACHE";
  private static final String TRUST_VARIABLE = "TRUST_PARAMS";

  @Option(
      names = "--param-cache",
      paramLabel = "DIR",
      description =
          "Folder of the network's parameters ($$FIL_PROOFS_PARAMETER_CACHE, then"
              + " /var/tmp/filecoin-proof-parameters).")
  String paramCache;

  @Option(
      names = "--trust-params",
      fallbackValue = "true",
      description = "Do not compute digests of parameter files.")
  boolean trustParams;

  @Option(names = "--sector-size", paramLabel = "SIZE", description = "2KiB to 64GiB.")
  MemorySize sectorSize;

  @Option(
      names = "--registered-proof",
      paramLabel = "NAME",
      description = "Registered proof by name or go:N.")
  String registeredProof;

  @Option(names = "--miner-id", paramLabel = "ID", description = "N, f0N or t0N.")
  String minerId;

  @Option(names = "--sector-number", paramLabel = "N", description = "Number of the sector.")
  String sectorNumber;

  @Option(names = "--randomness", paramLabel = "BYTES", description = "32 bytes, hex or base64.")
  String randomness;

  @Option(names = "--comm-r-old", paramLabel = "COMM", description = "64 hex digits or a CID.")
  String commROld;

  @Option(names = "--comm-r-new", paramLabel = "COMM", description = "64 hex digits or a CID.")
  String commRNew;

  @Option(names = "--comm-d-new", paramLabel = "COMM", description = "64 hex digits or a CID.")
  String commDNew;

  @Option(
      names = "--partition-index",
      paramLabel = "N",
      description = "One partition alone, from 0; of a WindowPoSt the inputs are its sectors.")
  String partitionIndex;

  /** The folder with the network's parameters. */
  ParameterCache parameterCache(Environment environment) {
    Optional<String> folder =
        paramCache == null ? environment.variable(FOLDER_VARIABLE) : Optional.of(paramCache);
    return new ParameterCache(folder.map(Path::of).orElse(ParameterCache.DEFAULT_FOLDER));
  }

  /** Whether parameters are taken as they are; the reference's variable says so too. */
  boolean trustsParameters(Environment environment) {
    return trustParams || environment.variable(TRUST_VARIABLE).equals(Optional.of("1"));
  }

  /** What was given, and where parameters are and whether they are trusted. */
  Map<String, String> facts(Environment environment) {
    Map<String, String> facts = facts();
    facts.put("param-cache", parameterCache(environment).folder().toString());
    put(facts, "trust-params", trustsParameters(environment) ? "true" : null);
    return facts;
  }

  /** What was given, by option name without dashes. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    put(facts, "param-cache", paramCache);
    put(facts, "trust-params", trustParams ? "true" : null);
    put(facts, "sector-size", sectorSize == null ? null : Long.toString(sectorSize.bytes()));
    put(facts, "registered-proof", registeredProof);
    put(facts, "miner-id", minerId);
    put(facts, "sector-number", sectorNumber);
    put(facts, "randomness", randomness);
    put(facts, "comm-r-old", commROld);
    put(facts, "comm-r-new", commRNew);
    put(facts, "comm-d-new", commDNew);
    put(facts, "partition-index", partitionIndex);
    return facts;
  }

  private static void put(Map<String, String> facts, String name, String value) {
    if (value != null) {
      facts.put(name, value);
    }
  }
}
