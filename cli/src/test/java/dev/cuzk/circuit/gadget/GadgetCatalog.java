package dev.cuzk.circuit.gadget;

import static dev.cuzk.circuit.gadget.TreeHash.POSEIDON;
import static dev.cuzk.circuit.gadget.TreeHash.SHA256;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.filecoin.PostCircuit;
import dev.cuzk.circuit.filecoin.SectorShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The small systems that the reference made with its gadgets, by name. */
final class GadgetCatalog {
  private static final Map<String, Consumer<ConstraintSystem>> SYSTEMS = new LinkedHashMap<>();

  private GadgetCatalog() {}

  static Map<String, Consumer<ConstraintSystem>> systems() {
    return SYSTEMS;
  }

  static {
    bits();
    numbers();
    insertion();
    hashes();
    trees();
  }

  /** Operands with the signs of number {@code signs}: a bit that is set negates. */
  private static Bit[] signed(Bit[] bits, int signs) {
    Bit[] result = bits.clone();
    for (int i = 0; i < bits.length; i++) {
      result[i] = (signs >> i & 1) == 1 ? bits[i].not() : bits[i];
    }
    return result;
  }

  private static Bit[] with(Bit[] bits, int place, Bit constant) {
    Bit[] result = bits.clone();
    result[place] = constant;
    return result;
  }

  private interface Binary {
    Bit apply(ConstraintSystem system, Bit a, Bit b);
  }

  private interface Ternary {
    Bit apply(ConstraintSystem system, Bit a, Bit b, Bit c);
  }

  private static Consumer<ConstraintSystem> binary(Binary operation) {
    return system -> {
      Bit a = Bit.allocate(system);
      Bit b = Bit.allocate(system);
      for (int signs : new int[] {0, 2, 1, 3}) {
        Bit[] operands = signed(new Bit[] {a, b}, signs);
        operation.apply(system, operands[0], operands[1]);
      }
      for (Bit constant : new Bit[] {Bit.TRUE, Bit.FALSE}) {
        operation.apply(system, a, constant);
        operation.apply(system, constant, b);
      }
    };
  }

  private static Consumer<ConstraintSystem> ternary(Ternary operation) {
    return system -> {
      Bit[] bits = Words.allocate(system, 3);
      for (int signs = 0; signs < 8; signs++) {
        Bit[] operands = signed(bits, signs);
        operation.apply(system, operands[0], operands[1], operands[2]);
      }
      for (int place = 0; place < 3; place++) {
        for (Bit constant : new Bit[] {Bit.FALSE, Bit.TRUE}) {
          Bit[] operands = with(bits, place, constant);
          operation.apply(system, operands[0], operands[1], operands[2]);
        }
      }
    };
  }

  private static void bits() {
    SYSTEMS.put("boolean-alloc", system -> Words.allocate(system, 2));
    SYSTEMS.put("boolean-xor", binary(BitLogic::xor));
    SYSTEMS.put("boolean-and", binary(BitLogic::and));
    SYSTEMS.put("boolean-sha-ch", ternary(BitLogic::choose));
    SYSTEMS.put("boolean-sha-maj", ternary(BitLogic::majority));
    SYSTEMS.put(
        "uint32-xor-rotr-shr",
        system -> {
          Bit[] w = Words.allocate(system, 32);
          Bit[] both = Words.xor(system, Words.rotateRight(w, 7), Words.rotateRight(w, 18));
          Words.xor(system, both, Words.shiftRight(w, 3));
        });
    SYSTEMS.put("uint32-addmany", GadgetCatalog::sums);
    SYSTEMS.put(
        "uint64-input", system -> Numbers.packIntoInputs(system, Words.allocate(system, 64)));
  }

  private static void sums(ConstraintSystem system) {
    Bit[][] words = new Bit[8][];
    Arrays.setAll(words, i -> Words.allocate(system, 32));
    PackedEqualities equalities = new PackedEqualities(system);
    for (int round = 0; round < 2; round++) {
      Words.sum(system, equalities, Arrays.copyOfRange(words, 0, 2));
      Words.sum(system, equalities, Arrays.copyOfRange(words, 1, 5));
      Bit[][] withConstant = Arrays.copyOfRange(words, 2, 8);
      withConstant[5] = Words.constant(0x428a2f98);
      Words.sum(system, equalities, withConstant);
      Words.sum(system, equalities, Arrays.copyOfRange(words, 0, 7));
    }
    equalities.close();
  }

  private static int[] allocate(ConstraintSystem system, int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> system.allocate());
    return numbers;
  }

  private interface OfTwo {
    void apply(ConstraintSystem system, int a, int b);
  }

  private static void ofTwo(String name, OfTwo gadget) {
    SYSTEMS.put(
        name,
        system -> {
          int[] numbers = allocate(system, 2);
          gadget.apply(system, numbers[0], numbers[1]);
        });
  }

  private static void numbers() {
    ofTwo("num-mul", Numbers::multiply);
    SYSTEMS.put("num-square", system -> Numbers.square(system, system.allocate()));
    SYSTEMS.put("num-inputize", system -> Numbers.toInput(system, system.allocate()));
    SYSTEMS.put("num-to-bits-le", system -> Numbers.toBits(system, system.allocate()));
    SYSTEMS.put(
        "num-to-allocated-bits-snap", system -> Numbers.toAllocatedBits(system, system.allocate()));
    ofTwo(
        "num-conditionally-reverse",
        (system, a, b) -> Numbers.conditionallyReverse(system, a, b, Bit.allocate(system)));
    SYSTEMS.put(
        "multipack-pack-bits-254", system -> Numbers.pack(system, Words.allocate(system, 254)));
    SYSTEMS.put(
        "multipack-pack-bits-with-constants",
        system -> {
          Bit[] bits = Words.allocate(system, 12);
          for (int i = 0; i < 12; i += 4) {
            bits[i + 1] = bits[i + 1].not();
            bits[i + 2] = Bit.TRUE;
            bits[i + 3] = Bit.FALSE;
          }
          Numbers.pack(system, bits);
        });
    for (int count : new int[] {30, 300}) {
      SYSTEMS.put(
          "multipack-into-inputs-" + count,
          system -> Numbers.packIntoInputs(system, Words.allocate(system, count)));
    }
    ofTwo("constraint-equal", Numbers::equal);
    ofTwo("encode", Numbers::add);
    ofTwo("decode", (system, key, value) -> Numbers.subtract(system, value, key));
  }

  private static void insertion() {
    ofTwo(
        "insertion-pick",
        (system, a, b) -> {
          Bit condition = Bit.allocate(system);
          Insertion.pick(system, condition, a, b);
          Insertion.pick(system, condition.not(), a, b);
        });
    for (int log2 = 1; log2 <= 4; log2++) {
      int bits = log2;
      SYSTEMS.put(
          "insertion-insert-" + (1 << bits),
          system -> {
            int element = system.allocate();
            Bit[] index = Words.allocate(system, bits);
            Insertion.insert(system, element, index, allocate(system, (1 << bits) - 1));
          });
    }
    for (int log2 : new int[] {3, 7}) {
      SYSTEMS.put(
          "insertion-select-" + (1 << log2),
          system -> {
            int[] from = allocate(system, 1 << log2);
            Insertion.select(system, from, Words.allocate(system, log2));
          });
    }
  }

  private static void hashes() {
    for (int arity : new int[] {2, 4, 8}) {
      SYSTEMS.put(
          "poseidon-" + arity, system -> PoseidonGadget.hash(system, allocate(system, arity)));
    }
    SYSTEMS.put("poseidon-11-column", system -> PoseidonGadget.hash(system, allocate(system, 11)));
    ofTwo("poseidon-2-gen-randomness", PoseidonGadget::randomness);
    SYSTEMS.put(
        "sha256-block-no-padding",
        system -> Sha256Gadget.hashBlock(system, Words.allocate(system, 512)));
    for (int bits : new int[] {512, 1024}) {
      SYSTEMS.put(
          "sha256-" + bits, system -> Sha256Gadget.hash(system, Words.allocate(system, bits)));
    }
    ofTwo("sha256-hash2", TreeHash::apex);
    for (int layer = 1; layer <= 2; layer++) {
      int number = layer;
      SYSTEMS.put("create-label-layer" + layer, system -> label(system, number));
    }
  }

  private static void label(ConstraintSystem system, int layer) {
    int replicaId = system.allocate();
    Bit[] replicaIdBits = Numbers.reverseBitsOfBytes(Numbers.toBits(system, replicaId));
    Bit[] node = Words.allocate(system, 64);
    int[] parents = allocate(system, layer == 1 ? 6 : 14);
    Bit[][] parentBits = new Bit[parents.length][];
    for (int i = 0; i < parents.length; i++) {
      parentBits[i] = Numbers.reverseBitsOfBytes(Numbers.toBits(system, parents[i]));
    }
    LabelGadget.create(system, replicaIdBits, layer, node, parentBits);
  }

  private static void include(String name, TreeShape shape) {
    SYSTEMS.put(
        name,
        system -> {
          int root = system.allocate();
          MerklePath.include(system, shape, system.allocate(), root);
        });
  }

  private static void includeGiven(String name, TreeShape shape) {
    SYSTEMS.put(
        name,
        system -> {
          Bit[] bits = Words.allocate(system, shape.indexBits());
          int leaf = system.allocate();
          int root = system.allocate();
          List<int[]> siblings = new ArrayList<>();
          for (int arity : shape.arities()) {
            siblings.add(allocate(system, arity - 1));
          }
          MerklePath.includeGiven(system, shape, bits, leaf, siblings, root);
        });
  }

  private static void trees() {
    TreeShape twoLevels = TreeShape.simple(POSEIDON, 8, 2);
    include("por-poseidon-2-h3", TreeShape.simple(POSEIDON, 2, 3));
    include("por-poseidon-8-0-0-h2", twoLevels);
    SYSTEMS.put(
        "por-poseidon-8-0-0-h2-public",
        system -> MerklePath.includeInPublicRoot(system, twoLevels, system.allocate()));
    include("por-poseidon-8-2-0-h1", new TreeShape(POSEIDON, 8, 1, 2, 0));
    include("por-poseidon-8-8-0-h1", new TreeShape(POSEIDON, 8, 1, 8, 0));
    include("por-poseidon-8-8-2-h1", new TreeShape(POSEIDON, 8, 1, 8, 2));
    include("por-sha256-2-h1", TreeShape.simple(SHA256, 2, 1));
    include("por-sha256-2-h2", TreeShape.simple(SHA256, 2, 2));
    includeGiven("por-no-challenge-8-8-0-h1", new TreeShape(POSEIDON, 8, 1, 8, 0));
    includeGiven("por-no-challenge-8-8-2-h1", new TreeShape(POSEIDON, 8, 1, 8, 2));
    includeGiven("por-no-challenge-sha256-h1", TreeShape.simple(SHA256, 2, 1));
    SYSTEMS.put(
        "fallback-post-mini",
        system -> new PostCircuit("mini", SectorShape.KIB_2, 2, 2).define(system));
  }
}
