package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.math.Field;
import java.util.TreeSet;

/**
 * A range of a circuit's constraints as a system of its own: the variables of other ranges become
 * its public inputs, in ascending order.
 */
record Cut(
    CompactMatrices whole, long first, long constraints, long firstAuxiliary, long auxiliaries)
    implements Constraints {
  private long firstPrivate() {
    return whole.publicInputs() + 1 + firstAuxiliary;
  }

  private TreeSet<Long> outside() {
    TreeSet<Long> outside = new TreeSet<>();
    whole.forEach(
        first,
        constraints,
        new Sink() {
          @Override
          public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
            boolean inside = variable >= firstPrivate() && variable < firstPrivate() + auxiliaries;
            if (variable != 0 && !inside) {
              outside.add(variable);
            }
          }

          @Override
          public void end(long constraint) {}
        });
    return outside;
  }

  @Override
  public String name() {
    return "part of " + whole.name();
  }

  @Override
  public Field field() {
    return whole.field();
  }

  @Override
  public long variables() {
    return 1 + publicInputs() + auxiliaries;
  }

  @Override
  public int publicInputs() {
    return outside().size();
  }

  @Override
  public void forEach(long from, long count, Sink sink) {
    TreeSet<Long> outside = outside();
    whole.forEach(
        first + from,
        count,
        new Sink() {
          @Override
          public void term(int matrix, long variable, long c0, long c1, long c2, long c3) {
            long mapped = variable;
            if (outside.contains(variable)) {
              mapped = 1 + outside.headSet(variable).size();
            } else if (variable != 0) {
              mapped = 1 + outside.size() + variable - firstPrivate();
            }
            sink.term(matrix, mapped, c0, c1, c2, c3);
          }

          @Override
          public void end(long constraint) {
            sink.end(constraint - first);
          }
        });
  }
}
