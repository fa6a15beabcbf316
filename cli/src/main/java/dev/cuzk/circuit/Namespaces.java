package dev.cuzk.circuit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The namespaces of a constraint system, in the order in which they begin: a name for every stretch
 * of constraints. Deeper ones than a limit are not kept.
 */
public final class Namespaces {
  /**
   * One namespace.
   *
   * @param name without those around it
   * @param depth 1 for the outermost
   */
  public record Namespace(
      String name,
      int depth,
      long firstConstraint,
      long endConstraint,
      long firstAuxiliary,
      long endAuxiliary) {}

  private final int deepest;
  private final List<Namespace> list = new ArrayList<>();
  private final List<Integer> open = new ArrayList<>();

  Namespaces(int deepest) {
    this.deepest = deepest;
  }

  void enter(String name, long constraint, long auxiliary) {
    int depth = open.size() + 1;
    open.add(list.size());
    if (depth <= deepest) {
      list.add(new Namespace(name, depth, constraint, constraint, auxiliary, auxiliary));
    }
  }

  void leave(long constraint, long auxiliary) {
    int depth = open.size();
    int at = open.remove(depth - 1);
    if (depth <= deepest) {
      Namespace begun = list.get(at);
      list.set(
          at,
          new Namespace(
              begun.name,
              depth,
              begun.firstConstraint,
              constraint,
              begun.firstAuxiliary,
              auxiliary));
    }
  }

  /** Adds those of a gadget that is placed inside the innermost open namespace. */
  void place(Namespaces gadget, long firstConstraint, long firstAuxiliary) {
    for (Namespace inner : gadget.list) {
      int depth = open.size() + inner.depth;
      if (depth <= deepest) {
        list.add(
            new Namespace(
                inner.name,
                depth,
                firstConstraint + inner.firstConstraint,
                firstConstraint + inner.endConstraint,
                firstAuxiliary + inner.firstAuxiliary,
                firstAuxiliary + inner.endAuxiliary));
      }
    }
  }

  /** All of them, in the order in which they begin. */
  public List<Namespace> list() {
    return List.copyOf(list);
  }

  /** Number of those that {@link #forEach} gives at this depth or above. */
  public long count(int depth) {
    return list.stream().filter(namespace -> isListed(namespace, depth)).count();
  }

  /**
   * Gives the namespaces down to a depth with their whole names, joined by slashes, in the order in
   * which they begin; below the outermost only those with two constraints or more.
   */
  public void forEach(int depth, Visitor visitor) {
    String[] path = new String[depth];
    for (Namespace namespace : list) {
      if (namespace.depth <= depth) {
        path[namespace.depth - 1] = namespace.name;
      }
      if (isListed(namespace, depth)) {
        visitor.visit(String.join("/", Arrays.asList(path).subList(0, namespace.depth)), namespace);
      }
    }
  }

  private static boolean isListed(Namespace namespace, int depth) {
    return namespace.depth == 1
        || namespace.depth <= depth && namespace.endConstraint - namespace.firstConstraint >= 2;
  }

  /** Receives namespaces. */
  @FunctionalInterface
  public interface Visitor {
    void visit(String path, Namespace namespace);
  }
}
