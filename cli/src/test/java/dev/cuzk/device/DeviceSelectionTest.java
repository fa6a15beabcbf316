package dev.cuzk.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSelectionTest {
  private static Gpu gpu(int ordinal, String uuid) {
    String pci = "00000000:0" + ordinal + ":00.0";
    return new Gpu(ordinal, uuid, pci, "GPU of the test", 9, 0, 80L << 30, "");
  }

  private static final GpuInventory THREE =
      new GpuInventory(
          List.of(gpu(0, "GPU-aa11"), gpu(1, "GPU-ab22"), gpu(2, "MIG-cc33")),
          "",
          true,
          false,
          13000);

  private static final GpuInventory NO_HARDWARE =
      new GpuInventory(List.of(), "this machine has no NVIDIA GPU", false, false, 0);

  private static final GpuInventory NO_DRIVER =
      new GpuInventory(List.of(), "no driver", true, false, 0);

  private static final GpuInventory HIDDEN =
      new GpuInventory(List.of(), "CUDA_VISIBLE_DEVICES shows no GPU", true, true, 0);

  private static DeviceSelection choose(String list, GpuInventory inventory, int domain)
      throws Exception {
    return DeviceSelection.choose(list, inventory, domain, uuid -> List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "0; 0",
        "2,0; 2 0",
        "all; 0 1 2",
        "GPU-ab; 1",
        "gpu-AA11; 0",
        "MIG-c, 1; 2 1",
        "none; ''"
      })
  void shouldUnderstandALists(String list, String ordinals) throws Exception {
    String chosen =
        String.join(
            " ", choose(list, THREE, -1).gpus().stream().map(gpu -> "" + gpu.ordinal()).toList());
    assertEquals(ordinals, chosen);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "0,",
        ",1",
        "0,,1",
        "3",
        "-1",
        "0x1",
        "0,0",
        "0,GPU-aa",
        "GPU-a",
        "GPU-ff",
        "GPU",
        "all,0",
        "none,1",
        "99999999999",
        "auto"
      })
  void shouldRefuseAListThatMakesNoSense(String list) {
    assertThrows(DeviceSelectionException.class, () -> choose(list, THREE, -1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "all", "GPU-aa"})
  void shouldNotFallBackToTheCpuWhenGpusWereAskedFor(String list) {
    DeviceException failure =
        assertThrows(DeviceException.class, () -> choose(list, NO_HARDWARE, 10));
    assertEquals(DeviceStatus.NO_DEVICE, failure.status());
  }

  @Test
  void shouldTakeAllGpusByDefault() throws Exception {
    assertEquals(3, choose(null, THREE, 27).gpus().size());
  }

  @Test
  void shouldTakeTheCpuByDefaultOnlyWithoutAGpuAndForSmallDomains() throws Exception {
    DeviceSelection cpu = choose(null, NO_HARDWARE, 23);
    assertTrue(cpu.isCpu());
    assertTrue(cpu.notice().contains("CPU"));
    assertTrue(choose(null, HIDDEN, -1).isCpu());
    assertThrows(DeviceException.class, () -> choose(null, NO_HARDWARE, 24));
    assertThrows(DeviceException.class, () -> choose(null, NO_DRIVER, 10));
  }

  @Test
  void shouldTakeTheCpuWhenAsked() throws Exception {
    assertTrue(choose("none", NO_DRIVER, 27).isCpu());
    assertTrue(DeviceSelection.namesCpu("none"));
  }

  @Test
  void shouldRefuseAnUnsupportedGpuByName() {
    Gpu old = new Gpu(0, "GPU-01", "", "Old GPU", 6, 1, 1, "compute capability 6.1 is below 7.0");
    GpuInventory inventory = new GpuInventory(List.of(old), "", true, false, 13000);
    DeviceException failure = assertThrows(DeviceException.class, () -> choose("0", inventory, -1));
    assertEquals(DeviceStatus.UNSUPPORTED_DEVICE, failure.status());
    assertTrue(failure.getMessage().contains("Old GPU"));
  }

  @Test
  void shouldRefuseAParentInMigModeAndListItsInstances() {
    DeviceException failure =
        assertThrows(
            DeviceException.class,
            () -> DeviceSelection.choose("0", THREE, -1, uuid -> List.of("MIG-1", "MIG-2")));
    assertTrue(failure.getMessage().contains("MIG-1, MIG-2"));
  }

  @Test
  void shouldFindNoGpuOrSayWhy() {
    GpuInventory inventory = GpuInventory.find();
    assertEquals(inventory.gpus().isEmpty(), !inventory.problem().isEmpty());
  }
}
