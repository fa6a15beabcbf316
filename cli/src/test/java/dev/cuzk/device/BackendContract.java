package dev.cuzk.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.Backend.ProofResult;
import dev.cuzk.device.Backend.ProofTask;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Group;
import dev.cuzk.memory.Buffer;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verifier;
import java.io.RandomAccessFile;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every backend must do alike; the same tests for each of them. */
abstract class BackendContract {
  /** Offset of the scalars in a small .wtns file: two section headers and the field header. */
  private static final int WTNS_VALUES = 12 + 12 + 40 + 12;

  private final Random random = new Random(5);
  private Backend backend;

  @TempDir Path folder;

  /** Opens the backend under test, or makes the test be skipped where it cannot run. */
  abstract Backend open() throws DeviceException;

  @BeforeEach
  void openBackend() throws DeviceException {
    backend = open();
  }

  @AfterEach
  void closeBackend() {
    if (backend != null) {
      backend.close();
    }
  }

  // ---- helpers --------------------------------------------------------------------------------

  static byte[] littleEndian(BigInteger value, int bytes) {
    byte[] result = new byte[bytes];
    byte[] big = value.toByteArray();
    for (int i = 0; i < big.length && i < bytes; i++) {
      result[i] = big[big.length - 1 - i];
    }
    return result;
  }

  private static BigInteger value(byte[] bytes, int from, int length) {
    BigInteger result = BigInteger.ZERO;
    for (int i = length - 1; i >= 0; i--) {
      result = result.shiftLeft(8).or(BigInteger.valueOf(bytes[from + i] & 0xff));
    }
    return result;
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private BigInteger scalar(CurveId curve) {
    return new BigInteger(curve.scalarModulus().bitLength() + 64, random)
        .mod(curve.scalarModulus());
  }

  private static ByteBuffer scalars(List<BigInteger> values) {
    ByteBuffer buffer = direct(values.size() * CurveId.SCALAR_BYTES);
    values.forEach(value -> buffer.put(littleEndian(value, CurveId.SCALAR_BYTES)));
    return buffer.flip();
  }

  private Buffer held(ByteBuffer bytes) throws DeviceException {
    Buffer buffer = backend.allocatePinned(bytes.remaining());
    buffer.view(0, bytes.remaining()).put(bytes.duplicate());
    return buffer;
  }

  /**
   * The generator in the encoding of .zkey files: the limbs of the Java field are Montgomery too.
   */
  private static byte[] generator(CurveId curve, boolean g2) {
    long[] limbs = Group.of(curve, g2).generator();
    ByteBuffer bytes = ByteBuffer.allocate(8 * limbs.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long limb : limbs) {
      bytes.putLong(limb);
    }
    return Arrays.copyOf(bytes.array(), curve.pointBytes(g2));
  }

  private ByteBuffer multiples(CurveId curve, boolean g2, List<BigInteger> factors)
      throws DeviceException {
    ByteBuffer points = direct(factors.size() * curve.pointBytes(g2));
    backend.fixedBase(curve, g2, generator(curve, g2), scalars(factors), factors.size(), points);
    return points;
  }

  private byte[] sum(CurveId curve, boolean g2, ByteBuffer points, List<BigInteger> factors)
      throws DeviceException {
    try (Buffer held = held(points);
        Buffer scalars = held(scalars(factors))) {
      return backend.msm(curve, g2, held, scalars, factors.size()).value();
    }
  }

  // ---- sums of multiples ----------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void shouldAgreeWithTheSumInTheExponent(CurveId curve) throws Exception {
    for (boolean g2 : new boolean[] {false, true}) {
      for (int count : new int[] {0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1000}) {
        List<BigInteger> logarithms = new ArrayList<>();
        List<BigInteger> factors = new ArrayList<>();
        BigInteger expected = BigInteger.ZERO;
        for (int i = 0; i < count; i++) {
          // Infinities, equal and opposite points; factors 0, 1 and r − 1.
          BigInteger logarithm =
              switch (i % 7) {
                case 3 -> BigInteger.ZERO;
                case 4 -> BigInteger.ONE;
                case 5 -> curve.scalarModulus().subtract(BigInteger.ONE);
                default -> scalar(curve);
              };
          BigInteger factor =
              switch (i % 5) {
                case 2 -> BigInteger.ZERO;
                case 3 -> BigInteger.ONE;
                case 4 -> curve.scalarModulus().subtract(BigInteger.ONE);
                default -> scalar(curve);
              };
          logarithms.add(logarithm);
          factors.add(factor);
          expected = expected.add(logarithm.multiply(factor)).mod(curve.scalarModulus());
        }
        byte[] found = sum(curve, g2, multiples(curve, g2, logarithms), factors);
        byte[] wanted =
            sum(curve, g2, multiples(curve, g2, List.of(expected)), List.of(BigInteger.ONE));
        assertArrayEquals(wanted, found, curve + ", G2 " + g2 + ", " + count + " points");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveTheGeneratorAsTheJavaArithmeticKnowsIt(CurveId curve) throws Exception {
    for (boolean g2 : new boolean[] {false, true}) {
      byte[] found =
          sum(curve, g2, multiples(curve, g2, List.of(BigInteger.ONE)), List.of(BigInteger.ONE));
      int width = curve.baseFieldBytes();
      byte[] montgomery = generator(curve, g2);
      BigInteger inverse = BigInteger.TWO.pow(8 * width).modInverse(curve.baseModulus());
      for (int at = 0; at < found.length; at += width) {
        BigInteger plain = value(montgomery, at, width).multiply(inverse).mod(curve.baseModulus());
        assertEquals(plain, value(found, at, width));
      }
    }
  }

  @Test
  void shouldRefuseAPointOffTheCurveAndAScalarThatIsNotCanonical() {
    byte[] point = generator(CurveId.BN254, false);
    point[0] ^= 1;
    ByteBuffer points = direct(64).put(point).flip();
    DeviceException failure =
        assertThrows(
            DeviceException.class,
            () -> sum(CurveId.BN254, false, points, List.of(BigInteger.ONE)));
    assertEquals(DeviceStatus.INVALID_POINT, failure.status());
    assertEquals(0, failure.detail());
  }

  // ---- transforms -----------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void shouldTransformAsTheNaiveSumDoes(CurveId curve) throws Exception {
    BigInteger r = curve.scalarModulus();
    for (int log2 : new int[] {0, 1, 2, 3, 4, 6}) {
      int size = 1 << log2;
      List<BigInteger> input = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        input.add(scalar(curve));
      }
      BigInteger shift = scalar(curve);
      byte[] encodedShift = littleEndian(shift, 32);
      Buffer values = held(scalars(input));
      backend.ntt(curve, QuotientForm.ODD_COSET, false, log2, encodedShift, values);
      BigInteger root = rootOfUnity(curve, log2);
      for (int k = 0; k < size; k++) {
        BigInteger x = shift.multiply(root.modPow(BigInteger.valueOf(k), r)).mod(r);
        BigInteger expected = BigInteger.ZERO;
        for (int j = size - 1; j >= 0; j--) {
          expected = expected.multiply(x).add(input.get(j)).mod(r);
        }
        byte[] found = new byte[32];
        values.view(32 * k, 32).get(found);
        assertEquals(expected, value(found, 0, 32), curve + ", 2^" + log2 + ", " + k);
      }
      backend.ntt(curve, QuotientForm.ODD_COSET, true, log2, encodedShift, values);
      assertEquals(scalars(input), values.view(0, 32 * size));
      values.close();
    }
  }

  /** iden3's: the smallest non-residue raised to the odd part of r − 1. */
  private static BigInteger rootOfUnity(CurveId curve, int log2) {
    BigInteger r = curve.scalarModulus();
    BigInteger half = r.shiftRight(1);
    BigInteger candidate = BigInteger.TWO;
    while (candidate.modPow(half, r).equals(BigInteger.ONE)) {
      candidate = candidate.add(BigInteger.ONE);
    }
    return candidate.modPow(r.subtract(BigInteger.ONE).shiftRight(log2), r);
  }

  // ---- keys and proofs ------------------------------------------------------------------------

  private Buffer witness(ZkeyKey key, Path file) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    long size = key.variables() * CurveId.SCALAR_BYTES;
    Buffer buffer = backend.allocatePinned(size);
    buffer.view(0, (int) size).put(bytes, bytes.length - (int) size, (int) size);
    assertEquals(bytes.length - size, WTNS_VALUES);
    return buffer;
  }

  private ProofRequest request(CurveId curve, Buffer witness) {
    return new ProofRequest(
        witness, littleEndian(scalar(curve), 32), littleEndian(scalar(curve), 32));
  }

  private static boolean verifies(ZkeyKey key, Buffer witness, byte[] points) throws Exception {
    List<BigInteger> inputs = new ArrayList<>();
    byte[] scalar = new byte[32];
    for (int i = 1; i <= key.publicInputs(); i++) {
      witness.view(32L * i, 32).get(scalar);
      inputs.add(value(scalar, 0, 32));
    }
    Proof proof = Proof.fromLittleEndian(key.curve(), points);
    return Verifier.verify(key.verifyingKey(), proof, inputs).valid();
  }

  private void shouldProve(Path zkey, Path... witnesses) throws Exception {
    try (ZkeyKey key = ZkeyKey.open(zkey);
        LoadedKey loaded = backend.load(key)) {
      List<ProofRequest> requests = new ArrayList<>();
      for (Path file : witnesses) {
        requests.add(request(key.curve(), witness(key, file)));
      }
      ProofResult result = backend.submit(loaded, requests).await();
      for (int i = 0; i < requests.size(); i++) {
        assertTrue(
            verifies(key, requests.get(i).witness(), result.points().get(i)), zkey.toString());
      }
      assertTrue(result.times().totalMs() > 0);
      assertEquals(Stage.values().length, result.times().ms().length);
      ProofResult again = backend.submit(loaded, requests).await();
      assertArrayEquals(result.points().get(0), again.points().get(0), "same r and s, same proof");
      requests.forEach(one -> one.witness().close());
    }
  }

  @Test
  void shouldProveTheQuickStartCircuit() throws Exception {
    Path data = TestFiles.testdata("quickstart");
    shouldProve(data.resolve("circuit.zkey"), data.resolve("witness.wtns"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"multiplier-bn128", "multiplier-bls12381", "merkle16-bn128", "merkle16-bls12381"})
  void shouldProveTheSamples(String name) throws Exception {
    Path data = TestFiles.sample(name);
    shouldProve(
        data.resolve("circuit.snarkjs.zkey"),
        data.resolve("witness_0.wtns"),
        data.resolve("witness_1.wtns"));
  }

  @Test
  void shouldProveACircuitWithoutPublicInputs() throws Exception {
    Path data = TestFiles.sample("nopub-bn128");
    shouldProve(data.resolve("circuit.direct.zkey"), data.resolve("witness_0.wtns"));
  }

  private ZkeyKey quickStart() throws InputException {
    return ZkeyKey.open(TestFiles.testdata("quickstart/circuit.zkey"));
  }

  @Test
  void shouldGiveAnInvalidProofOfAWrongWitness() throws Exception {
    Path data = TestFiles.testdata("quickstart");
    try (ZkeyKey key = quickStart();
        LoadedKey loaded = backend.load(key);
        Buffer witness = witness(key, data.resolve("witness.wtns"))) {
      long last = witness.byteSize() - 32;
      ByteBuffer view = witness.view(last, 32);
      view.put(0, (byte) (view.get(0) ^ 1));
      byte[] points =
          backend.submit(loaded, List.of(request(key.curve(), witness))).await().points().get(0);
      assertFalse(verifies(key, witness, points));
    }
  }

  @Test
  void shouldRefuseAWitnessThatIsNotCanonical() throws Exception {
    try (ZkeyKey key = quickStart();
        LoadedKey loaded = backend.load(key);
        Buffer witness = backend.allocatePinned(key.variables() * 32)) {
      ProofTask zeroOne = backend.submit(loaded, List.of(request(key.curve(), witness)));
      DeviceException failure = assertThrows(DeviceException.class, zeroOne::await);
      assertEquals(DeviceStatus.INVALID_SCALAR, failure.status());
      assertEquals(0, failure.detail());
      witness.view(0, 32).put(0, (byte) 1);
      for (int i = 0; i < 32; i++) {
        witness.view(64, 32).put(i, (byte) 0xff);
      }
      ProofTask large = backend.submit(loaded, List.of(request(key.curve(), witness)));
      failure = assertThrows(DeviceException.class, large::await);
      assertEquals(DeviceStatus.INVALID_SCALAR, failure.status());
      assertEquals(2, failure.detail());
    }
  }

  @Test
  void shouldRefuseAWrongLength() throws Exception {
    try (ZkeyKey key = quickStart();
        LoadedKey loaded = backend.load(key);
        Buffer tooShort = backend.allocatePinned(32)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> backend.submit(loaded, List.of(request(key.curve(), tooShort))));
    }
    try (Buffer point = held(direct(64));
        Buffer half = held(direct(16));
        Buffer none = held(direct(0))) {
      assertThrows(
          IllegalArgumentException.class, () -> backend.msm(CurveId.BN254, false, point, half, 1));
      assertThrows(
          IllegalArgumentException.class,
          () -> backend.msm(CurveId.BN254, false, point, half, Long.MAX_VALUE / 32));
      for (int log2 : new int[] {0, 29}) {
        assertThrows(
            IllegalArgumentException.class,
            () -> backend.ntt(CurveId.BN254, QuotientForm.ODD_COSET, false, log2, null, none));
      }
    }
  }

  @Test
  void shouldNameThePlaceOfAPointOffTheCurve() throws Exception {
    Path broken = folder.resolve("broken.zkey");
    Files.copy(TestFiles.testdata("quickstart/circuit.zkey"), broken);
    long offset;
    try (ZkeyKey key = ZkeyKey.open(broken)) {
      String place = key.place(dev.cuzk.key.Query.B2, 2);
      offset = Long.parseLong(place.replaceAll(".*offset ([0-9]+).*", "$1"));
    }
    try (RandomAccessFile file = new RandomAccessFile(broken.toFile(), "rw")) {
      file.seek(offset);
      int old = file.read();
      file.seek(offset);
      file.write(old ^ 1);
    }
    try (ZkeyKey key = ZkeyKey.open(broken)) {
      InputException failure = assertThrows(InputException.class, () -> backend.load(key));
      assertTrue(failure.getMessage().startsWith(broken + ": "), failure.getMessage());
      assertTrue(failure.getMessage().contains("offset " + offset), failure.getMessage());
    }
  }

  @Test
  void shouldTakeACancelBeforeDuringAndAfter() throws Exception {
    Path data = TestFiles.sample("merkle16-bn128");
    try (ZkeyKey key = ZkeyKey.open(data.resolve("circuit.snarkjs.zkey"));
        LoadedKey loaded = backend.load(key);
        Buffer witness = witness(key, data.resolve("witness_0.wtns"))) {
      ProofTask task = backend.submit(loaded, List.of(request(key.curve(), witness)));
      task.cancel();
      try {
        task.await();
      } catch (DeviceException cancelled) {
        assertEquals(DeviceStatus.CANCELLED, cancelled.status());
      }
      task.cancel();
      assertThrows(IllegalStateException.class, task::await);
      byte[] points =
          backend.submit(loaded, List.of(request(key.curve(), witness))).await().points().get(0);
      assertTrue(verifies(key, witness, points));
    }
  }

  @Test
  void shouldAllocateZeroedMemoryAndCloseTwice() throws Exception {
    Buffer buffer = backend.allocatePinned(100_000);
    assertEquals(100_000, buffer.byteSize());
    assertNotEquals(0, buffer.address());
    for (int i = 0; i < 100_000; i++) {
      assertEquals(0, buffer.view(0, 100_000).get(i));
    }
    buffer.view(7, 1).put((byte) 1);
    buffer.zero();
    assertEquals(0, buffer.view(7, 1).get());
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.view(99_999, 2));
    assertThrows(IllegalStateException.class, backend::close);
    buffer.close();
    buffer.close();
    assertEquals(0, buffer.address());
    assertThrows(IllegalStateException.class, () -> buffer.view(0, 1));
    backend.close();
    backend.close();
    backend = null;
  }

  @Test
  void shouldSayWhatAKeyNeeds() throws Exception {
    try (ZkeyKey key = quickStart()) {
      Backend.MemoryNeeds needs = backend.needs(key);
      assertEquals(key.variables() * 32, needs.pinnedBytes());
      assertTrue(needs.keyBytes() > 0 && needs.proofBytes() > 0);
    }
  }

  @Test
  void shouldChooseThePlanThatFits() throws Exception {
    try (ZkeyKey key = quickStart()) {
      Planner.Choice choice = backend.choosePlan(key, Long.MAX_VALUE, Plan.RESIDENT);
      assertTrue(choice.fits());
      assertEquals(Plan.RESIDENT, choice.plan());
      assertEquals(backend.needs(key), choice.needs());
      Planner.Choice none = backend.choosePlan(key, 1000, Plan.RESIDENT);
      assertTrue(!none.fits() && none.needs().proofBytes() > 0);
    }
  }
}
