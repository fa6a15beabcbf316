package dev.cuzk.report;

/**
 * What the report says about a device; unknown texts are empty.
 *
 * @param index position in the run's device list, as in {@link Timeline}
 * @param uuid as the driver names it; empty for the CPU
 * @param pci PCI id; empty for the CPU
 * @param memoryBytes total memory; 0 = unknown
 */
public record DeviceFacts(int index, String uuid, String name, String pci, long memoryBytes) {}
