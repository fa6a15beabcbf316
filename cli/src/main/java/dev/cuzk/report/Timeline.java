package dev.cuzk.report;

/**
 * Receives what happened when: the engine and the batch write into it, reports are drawn from it.
 * Implementations are safe for use by several threads and never block on I/O in these calls.
 *
 * <p>Times are nanoseconds of one clock, {@link System#nanoTime} but in simulations; {@code device}
 * is the position in the run's device list, −1 if none is concerned yet.
 */
public interface Timeline {
  /** The stable names of ENGINE's timing events. */
  enum Event {
    SYNTH_START,
    SYNTH_END,
    GPU_QUEUE,
    GPU_PICKUP,
    GPU_START,
    GPU_END,
    FIN_START,
    FIN_END,
    VERIFY_END,
    WRITE_END
  }

  /** Something happened to a partition. */
  void event(Event event, String job, int partition, int device, long nanos);

  /** A partition was in a stage (a wait, a device stage, verification …) from start to end. */
  void stage(String stage, String job, int partition, int device, long startNanos, long endNanos);

  /** A device computed, by its own clock; what lies between is idle, whatever the host does. */
  default void computing(int device, long startNanos, long endNanos) {}

  /** So many bytes of a partition's assignment crossed to a device from start to end. */
  default void uploaded(
      String job, int partition, int device, long bytes, long startNanos, long endNanos) {}

  /** A timeline that forgets everything. */
  Timeline NONE =
      new Timeline() {
        @Override
        public void event(Event event, String job, int partition, int device, long nanos) {}

        @Override
        public void stage(
            String stage, String job, int partition, int device, long startNanos, long endNanos) {}
      };
}
