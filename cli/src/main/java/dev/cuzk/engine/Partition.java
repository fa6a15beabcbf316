package dev.cuzk.engine;

import dev.cuzk.key.ProvingKey;
import dev.cuzk.synthesis.Synthesizer;

/**
 * One proof: an assignment to make, and the key to prove it with.
 *
 * @param index number within the job, from 0
 */
public record Partition(int index, ProvingKey key, Synthesizer synthesizer) {}
