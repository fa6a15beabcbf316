package dev.cuzk.engine;

import java.time.Duration;
import java.util.List;

/**
 * A request for one proof file: 1 … n partitions, proved independently and accepted one by one.
 *
 * @param sequence position in the run, from 0: within a priority the older job goes first
 * @param name unique in the run; matches the contract's name pattern
 * @param kind {@code circom}, {@code porep}, {@code snap}, {@code window-post}, {@code
 *     winning-post}
 * @param priority 0 … 99, higher first
 * @param timeout from admission to acceptance of the last partition; null = none
 * @param partitions those still to be proved, by ascending index (resumed ones are left out)
 * @param attachment what the {@link ProofSink} wants to find again; the engine does not look at it
 */
public record Job(
    long sequence,
    String name,
    String kind,
    int priority,
    Duration timeout,
    List<Partition> partitions,
    Object attachment) {}
