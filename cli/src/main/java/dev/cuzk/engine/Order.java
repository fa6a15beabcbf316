package dev.cuzk.engine;

import java.util.Comparator;

/**
 * The one order of every queue: higher priority first, then the older job, then the lower
 * partition. The submission number keeps two jobs apart whose caller gave them one sequence number,
 * so that no two queue items are equal.
 */
record Order(int priority, long sequence, int partition, long submission)
    implements Comparable<Order> {
  private static final Comparator<Order> COMPARATOR =
      Comparator.comparingInt((Order order) -> -order.priority)
          .thenComparingLong(Order::sequence)
          .thenComparingLong(Order::submission)
          .thenComparingInt(Order::partition);

  @Override
  public int compareTo(Order other) {
    return COMPARATOR.compare(this, other);
  }
}
