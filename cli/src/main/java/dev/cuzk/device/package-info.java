/**
 * The {@link dev.cuzk.device.Backend} interface with its CPU and CUDA implementations, and what
 * finds devices. The only classes that touch JNA, JCuda and NVML. Knows neither circuits nor user
 * files.
 */
package dev.cuzk.device;
