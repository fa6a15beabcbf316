package dev.cuzk.circuit;

import dev.cuzk.format.InputException;
import dev.cuzk.math.Field;
import java.util.Optional;

/**
 * A rank-1 constraint system that can be replayed: constraint i says (a_i · w)(b_i · w) = c_i · w
 * for the assignment w. Nothing demands that an implementation holds its constraints: a file reads
 * them again, a built-in circuit makes them anew. Digests, test keys, checks of witnesses and
 * compact matrices are each one {@link Sink} and one replay.
 *
 * <p>Variables are numbered as in an assignment: 0 is ONE, then the public inputs, then the private
 * ones. The rows {@code input · 0 = 0} that a Groth16 key appends for ONE and each public input are
 * not part of the system.
 *
 * <p>Safe for use by several threads, each with its own sink.
 */
public interface Constraints {
  /** Index of the matrix A in {@link Sink#term}; the numbers are those of .zkey section 4. */
  int A = 0;

  /** Index of the matrix B. */
  int B = 1;

  /** Index of the matrix C. */
  int C = 2;

  /** The file or the built-in circuit, for messages. */
  String name();

  /** The field that coefficients and assignments lie in; four words an element. */
  Field field();

  /** Number of variables, ONE counted. */
  long variables();

  /** Number of public inputs, ONE not counted. */
  int publicInputs();

  /** Number of constraints. */
  long constraints();

  /**
   * Replays constraints first … first + count − 1, in order.
   *
   * @throws InputException if the file behind it is malformed or has changed
   * @throws IndexOutOfBoundsException if the range is not inside the system
   */
  void forEach(long first, long count, Sink sink) throws InputException;

  /** The same system as gadgets at places; empty where it is not known in that form. */
  default Optional<CompactMatrices> compact() {
    return Optional.empty();
  }

  /**
   * log2 of the smallest domain with a row for each constraint, for ONE and for each public input;
   * as snarkjs chooses it, never below 2^1.
   */
  default int domainLog2() {
    long rows = constraints() + publicInputs() + 1;
    return Math.max(1, 64 - Long.numberOfLeadingZeros(rows - 1));
  }

  /** Receives constraints: the terms of A, then of B, then of C, then the end of the constraint. */
  interface Sink {
    /**
     * One term of the current constraint. Terms of a matrix may come in any order, a variable more
     * than once.
     *
     * @param matrix {@link Constraints#A}, {@link Constraints#B} or {@link Constraints#C}
     * @param variable index into the assignment
     * @param c0 the coefficient, canonical: its least significant word, then {@code c1}, {@code
     *     c2}, {@code c3}
     */
    void term(int matrix, long variable, long c0, long c1, long c2, long c3);

    /** The current constraint, whose index this is, has no more terms. */
    void end(long constraint);
  }
}
