package dev.cuzk.synthesis.circom;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.math.BigInteger;

/**
 * Hands a JSON input to a program while it is read.
 *
 * <p>A program runs its circuit inside the call that sets its last value. So that everything wrong
 * with the input is found first, the newest value waits here until the next one comes, or until the
 * whole text has been read and counted.
 */
final class InputFeeder implements SignalReader.Target {
  private final String program;
  private final ByteSource input;
  private final ProgramInstance instance;
  private final BigInteger prime;
  private final int inputSize;
  private final StringBuilder signals = new StringBuilder();

  private String signal;
  private long hash;
  private int signalSize;
  private long position;
  private long count;

  private BigInteger waiting;
  private String waitingSignal;
  private long waitingHash;
  private int waitingPosition;

  InputFeeder(
      String program, ByteSource input, ProgramInstance instance, CurveId curve, int inputSize) {
    this.program = program;
    this.input = input;
    this.instance = instance;
    this.prime = curve.scalarModulus();
    this.inputSize = inputSize;
  }

  void feed() throws InputException, UnsatisfiedException {
    try {
      if (inputSize > 0) {
        instance.initialize();
      }
      SignalReader.read(input, this);
      if (count != inputSize) {
        throw new InputException(
            input.name(),
            "input signals are missing (expected "
                + inputSize
                + " values, found "
                + count
                + (signals.length() == 0 ? "" : ": " + signals)
                + ")");
      }
      if (inputSize == 0) {
        instance.initialize();
      }
      flush();
    } catch (ProgramTrap trap) {
      throw unsatisfied(trap);
    }
  }

  @Override
  public void begin(String name) throws InputException {
    signal = name;
    hash = ProgramInstance.hash(name);
    signalSize = instance.inputSignalSize(hash);
    position = 0;
    if (signalSize < 0) {
      throw notFound();
    }
  }

  @Override
  public void value(BigInteger value) throws InputException {
    if (position < signalSize) {
      flush();
      waiting = value.signum() >= 0 && value.compareTo(prime) < 0 ? value : value.mod(prime);
      waitingSignal = signal;
      waitingHash = hash;
      waitingPosition = (int) position;
    }
    position++;
  }

  private InputException notFound() {
    return refuse("Signal not found: the circuit has no such input");
  }

  @Override
  public void end() throws InputException {
    if (signalSize == 0 && position > 0) {
      // Programs answer 0 for a name they do not know, as for an array of length 0.
      throw notFound();
    }
    if (position != signalSize) {
      throw refuse(
          (position < signalSize ? "not enough" : "too many")
              + " values (expected "
              + signalSize
              + ", found "
              + position
              + ")");
    }
    count += position;
    if (signals.length() < 200) {
      signals.append(signals.length() == 0 ? "" : ", ").append(signal);
      signals.append('[').append(signalSize).append(']');
    }
  }

  private void flush() throws InputException {
    if (waiting == null) {
      return;
    }
    BigInteger value = waiting;
    waiting = null;
    try {
      instance.set(waitingHash, waitingPosition, value);
    } catch (ProgramTrap trap) {
      signal = waitingSignal;
      switch (trap.code()) {
        case ProgramTrap.SIGNAL_NOT_FOUND -> throw notFound();
        case ProgramTrap.SIGNAL_ALREADY_SET, ProgramTrap.TOO_MANY_SIGNALS ->
            throw refuse("given twice");
        case ProgramTrap.ARRAY_TOO_LONG -> throw refuse("too many values");
        default -> throw trap;
      }
    }
  }

  private InputException refuse(String problem) {
    return new InputException(input.name(), "signal \"" + signal + "\": " + problem);
  }

  private UnsatisfiedException unsatisfied(ProgramTrap trap) throws InputException {
    String message = trap.getMessage().replace("\n", "; ");
    String detail = message.isEmpty() ? "" : ": " + message;
    if (trap.code() == ProgramTrap.ASSERT_FAILED) {
      return new UnsatisfiedException(
          input.name()
              + ": the input does not satisfy the circuit of "
              + program
              + " (Assert Failed"
              + detail
              + ")");
    }
    String reason =
        trap.code() == ProgramTrap.NOT_ENOUGH_MEMORY
            ? "the program's memory is too small"
            : "the program reports error " + trap.code();
    throw new InputException(program, "fails on input " + input.name() + ": " + reason + detail);
  }
}
