package dev.cuzk.circuit.filecoin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Filecoin's circuits by name: {@code KIND-SIZE}, for example {@code window-32GiB}. */
public final class FilecoinCircuits {
  /** Sizes for which the reference has an update with a TreeD of Poseidon. */
  private static final List<SectorShape> POSEIDON_UPDATES =
      List.of(SectorShape.KIB_2, SectorShape.MIB_8, SectorShape.MIB_512);

  private FilecoinCircuits() {}

  /** All of them: by kind, then by size. */
  public static List<FilecoinCircuit> all() {
    List<FilecoinCircuit> circuits = new ArrayList<>();
    for (SectorShape shape : SectorShape.values()) {
      circuits.add(new PorepCircuit(shape));
    }
    for (SectorShape shape : SectorShape.values()) {
      circuits.add(new UpdateCircuit(shape, false));
    }
    for (SectorShape shape : POSEIDON_UPDATES) {
      circuits.add(new UpdateCircuit(shape, true));
    }
    for (SectorShape shape : SectorShape.values()) {
      circuits.add(PostCircuit.window(shape));
    }
    for (SectorShape shape : SectorShape.values()) {
      circuits.add(PostCircuit.winning(shape));
    }
    return circuits;
  }

  /** The circuit of that name, or empty if there is none. */
  public static Optional<FilecoinCircuit> byName(String name) {
    return all().stream().filter(circuit -> circuit.name().equals(name)).findFirst();
  }
}
