package dev.cuzk.bench;

import java.util.Map;

/**
 * One measured case.
 *
 * @param id the same for the same case in another run: {@code msm/bn254/g1/2^16}; what {@code
 *     --compare} goes by
 * @param kind {@code prove}, {@code msm}, {@code ntt} or {@code synth}
 * @param curve printed name
 * @param facts what else tells it apart: group, size, circuit, constraints …
 * @param samplesMs milliseconds of each measured run, in order
 * @param statistics of the samples
 * @param stagesMs medians of the stages of a proof, by stable stage name; empty for other kinds
 */
public record BenchCase(
    String id,
    String kind,
    String curve,
    Map<String, Object> facts,
    double[] samplesMs,
    Statistics statistics,
    Map<String, Double> stagesMs) {}
