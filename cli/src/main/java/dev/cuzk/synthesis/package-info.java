/**
 * An assignment for a partition, written into a {@link dev.cuzk.memory.Buffer} that the engine
 * hands over: {@code .wtns} passthrough, circom programs, witness makers of built-in circuits.
 * Knows no devices.
 */
package dev.cuzk.synthesis;
