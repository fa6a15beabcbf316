package dev.cuzk.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cuzk doctor}: what is wrong with this machine. */
@Command(
    name = "doctor",
    header = "Checks driver, libraries, folders and limits.",
    description = {
      "Each line is ok, warn or fail, with a remedy. Then every effective setting and where it came"
          + " from. Exit code 5 if something fails."
    })
final class DoctorCommand extends BaseCommand {
  @Mixin DeviceOptions devices = new DeviceOptions();

  @Override
  int run() {
    devices.check(this);
    List<HealthCheck> checks = new ArrayList<>();
    checks.addAll(HealthCheck.ofProcess(session().environment(), HostLimits.ofProcess()));
    checks.addAll(DeviceHealth.checks(devices));
    List<Settings.Effective> settings = session().settings().effective(parseResult());
    boolean failed = checks.stream().anyMatch(each -> each.state() == HealthCheck.State.FAIL);
    if (console().isJson()) {
      json(checks, settings, !failed);
    } else {
      text(checks, settings);
    }
    return failed ? ExitCode.DEVICE : ExitCode.OK;
  }

  private void text(List<HealthCheck> checks, List<Settings.Effective> settings) {
    for (HealthCheck each : checks) {
      String remedy = each.remedy().isEmpty() ? "" : sentenceEnd(each.finding()) + each.remedy();
      String line =
          String.format(
              Locale.ROOT,
              "%-4s  %s: %s%s",
              CommandTable.lower(each.state()),
              each.name(),
              each.finding(),
              remedy);
      console().result(Console.sanitize(line));
    }
    console().result("settings:");
    for (Settings.Effective each : settings) {
      String value = each.value().isEmpty() ? "(not set)" : each.value();
      console()
          .result(
              Console.sanitize(
                  String.format(
                      Locale.ROOT, "  %-16s %s  [%s]", each.option(), value, each.source())));
    }
  }

  private static String sentenceEnd(String finding) {
    return finding.endsWith(".") ? " " : ". ";
  }

  private void json(List<HealthCheck> checks, List<Settings.Effective> settings, boolean ok) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("ok", ok);
    List<Object> list = new ArrayList<>();
    for (HealthCheck each : checks) {
      Map<String, Object> check = new LinkedHashMap<>();
      check.put("name", each.name());
      check.put("state", CommandTable.lower(each.state()));
      check.put("finding", each.finding());
      if (!each.remedy().isEmpty()) {
        check.put("remedy", each.remedy());
      }
      list.add(check);
    }
    object.put("checks", list);
    Map<String, Object> values = new LinkedHashMap<>();
    for (Settings.Effective each : settings) {
      values.put(each.option(), Map.of("value", each.value(), "source", each.source()));
    }
    object.put("settings", values);
    console().result(Json.write(object));
  }
}
