package dev.cuzk.synthesis.circom;

import dev.cuzk.synthesis.circom.InstructionReader.Kind;
import java.util.ArrayList;
import java.util.List;

/** Finds the places in a function's code at which it can be cut, and the pieces to take out. */
final class StatementScanner {
  /** No local. */
  static final int NONE = -1;

  /**
   * Code without any block or jump that can become a function of its own: it takes nothing from the
   * operand stack below it, leaves nothing, and sets one local at most.
   *
   * @param start position of its first byte
   * @param end position behind its last byte
   * @param writtenLocal the local that it sets, or {@link #NONE}
   */
  record Run(int start, int end, int writtenLocal) {}

  private StatementScanner() {}

  /**
   * Places at the outermost level at which the operand stack is empty, so that the parts between
   * them are about {@code partBytes} long where the code allows it. None behind a jump at that
   * level, because what follows cannot be reached, nor behind an unknown instruction.
   *
   * @param code at the first instruction
   */
  static List<Integer> cuts(InstructionReader code, int partBytes) {
    List<Integer> cuts = new ArrayList<>();
    int partStart = code.position();
    int candidate = partStart;
    int depth = 0;
    int height = 0;
    while (code.hasMore()) {
      code.next();
      if (code.kind() == Kind.UNKNOWN || depth == 0 && code.kind() == Kind.JUMP) {
        break;
      }
      if (depth == 0) {
        height += code.pushes() - code.pops();
      }
      if (code.kind() == Kind.BEGIN) {
        depth++;
      } else if (code.kind() == Kind.END && --depth < 0) {
        break;
      }
      if (depth == 0 && height == 0 && !code.nextIsEnd()) {
        if (candidate > partStart && code.position() - partStart > partBytes) {
          cuts.add(candidate);
          partStart = candidate;
        }
        candidate = code.position();
      }
    }
    if (candidate > partStart && code.position() - partStart > partBytes) {
      cuts.add(candidate);
    }
    return cuts;
  }

  /**
   * Runs of at least {@code minimumBytes} and about {@code partBytes}, at any depth, in order. None
   * if there is an unknown instruction.
   *
   * @param code at the first instruction
   */
  static List<Run> runs(InstructionReader code, int minimumBytes, int partBytes) {
    List<Run> runs = new ArrayList<>();
    int start = code.position();
    int end = start;
    int height = 0;
    int written = NONE;
    int writtenAtEnd = NONE;
    while (code.hasMore()) {
      int before = code.position();
      code.next();
      if (code.kind() == Kind.UNKNOWN) {
        return List.of();
      }
      int local = code.writtenLocal();
      boolean inRun =
          code.kind() == Kind.PLAIN
              && height >= code.pops()
              && (local == NONE || written == NONE || local == written)
              && code.position() - start <= partBytes;
      if (inRun) {
        height += code.pushes() - code.pops();
        written = local == NONE ? written : local;
        if (height == 0) {
          end = code.position();
          writtenAtEnd = written;
        }
        continue;
      }
      if (end - start >= minimumBytes) {
        runs.add(new Run(start, end, writtenAtEnd));
      }
      // An instruction that only did not fit may begin the next run, if the last one ended here.
      boolean anew = code.kind() == Kind.PLAIN && code.pops() == 0 && end == before;
      start = anew ? before : code.position();
      end = start;
      height = anew ? code.pushes() : 0;
      written = anew ? local : NONE;
      writtenAtEnd = NONE;
    }
    return runs;
  }
}
