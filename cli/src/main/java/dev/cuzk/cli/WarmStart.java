package dev.cuzk.cli;

import dev.cuzk.device.CpuBackend;
import dev.cuzk.device.DeviceException;
import java.security.SecureRandom;
import java.util.Map;

/**
 * Loads what a proving run will need in any case on a second thread, while the first one reads
 * options and inputs. Nothing here has an effect but on time: whatever fails, fails again, and is
 * reported, where it is needed.
 */
final class WarmStart {
  private WarmStart() {}

  /** Starts the thread if the command proves. */
  static void begin(String[] arguments) {
    int position = CommandTable.commandPosition(arguments);
    if (position >= 0 && arguments[position].equals("prove")) {
      Thread thread = new Thread(WarmStart::load, "cuzk-warm-start");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void load() {
    try {
      CpuBackend.buildId();
    } catch (DeviceException e) {
      // The library is remembered as unusable; whoever opens the device says so.
    }
    new SecureRandom().nextLong();
    Json.write(Map.of());
  }
}
