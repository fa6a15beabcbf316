package dev.cuzk.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Makes a manual page (man(7) macros) of a command, so that help and manual cannot differ. */
final class ManPage {
  private final StringBuilder text = new StringBuilder();
  private final CommandSpec spec;
  private final boolean root;

  private ManPage(CommandSpec spec) {
    this.spec = spec;
    this.root = spec.parent() == null;
  }

  /** All pages by file name. */
  static Map<String, String> all() {
    CommandLine line = CommandTable.commandLine(null, (String) null);
    Map<String, String> pages = new TreeMap<>();
    pages.put("cuzk.1", new ManPage(line.getCommandSpec()).render());
    for (CommandLine command : line.getSubcommands().values()) {
      CommandSpec spec = command.getCommandSpec();
      pages.put("cuzk-" + spec.name() + ".1", new ManPage(spec).render());
    }
    return pages;
  }

  private String render() {
    UsageMessageSpec usage = spec.usageMessage();
    String name = root ? "cuzk" : "cuzk-" + spec.name();
    line(".\\\" Generated from the command's own help; edit that.");
    line(".TH " + name.toUpperCase(java.util.Locale.ROOT).replace("-", "\\-") + " 1 \"\" cuzk");
    line(".SH NAME");
    line(escape(name) + " \\- " + escape(firstLower(String.join(" ", usage.header()))));
    line(".SH SYNOPSIS");
    line("\\fB" + escape(root ? "cuzk" : "cuzk " + spec.name()) + "\\fR " + escape(synopsis()));
    line(".SH DESCRIPTION");
    paragraphs(usage.description());
    positionals();
    options();
    if (root) {
      commands();
      exitCodes(usage);
      environment();
    }
    if (usage.footer().length > 0) {
      line(".SH EXAMPLES");
      for (String each : usage.footer()) {
        line(".PP");
        line("\\fB" + escape(expand(each).strip()) + "\\fR");
      }
    }
    seeAlso();
    return text.toString();
  }

  private String synopsis() {
    StringBuilder synopsis = new StringBuilder(root ? "[OPTIONS] COMMAND" : "[OPTIONS]");
    for (PositionalParamSpec each : spec.positionalParameters()) {
      boolean optional = each.arity().min() == 0;
      boolean several = each.arity().max() > 1 || each.index().max() == Integer.MAX_VALUE;
      String label = each.paramLabel() + (several ? "..." : "");
      synopsis.append(' ').append(optional ? "[" + label + "]" : label);
    }
    return synopsis.toString();
  }

  private void positionals() {
    if (spec.positionalParameters().isEmpty()) {
      return;
    }
    line(".SH ARGUMENTS");
    for (PositionalParamSpec each : spec.positionalParameters()) {
      line(".TP");
      line("\\fI" + escape(each.paramLabel()) + "\\fR");
      line(escape(expand(String.join(" ", each.description()))));
    }
  }

  private void options() {
    line(".SH OPTIONS");
    List<OptionSpec> options = new ArrayList<>(spec.options());
    options.removeIf(OptionSpec::hidden);
    options.sort(Comparator.comparing(option -> option.longestName()));
    for (OptionSpec option : options) {
      line(".TP");
      List<String> names = new ArrayList<>();
      for (String name : option.names()) {
        names.add("\\fB" + escape(name) + "\\fR");
      }
      String value = option.arity().max() > 0 ? " \\fI" + escape(option.paramLabel()) + "\\fR" : "";
      line(String.join(", ", names) + value);
      line(escape(expand(String.join(" ", option.description()))));
      if (!root && Settings.isSettable(option)) {
        line("Environment: " + escape(Settings.variableOf(option)) + ".");
      }
    }
  }

  private void commands() {
    line(".SH COMMANDS");
    for (CommandLine command : spec.subcommands().values()) {
      line(".TP");
      line("\\fBcuzk\\-" + escape(command.getCommandName()) + "\\fR(1)");
      line(escape(String.join(" ", command.getCommandSpec().usageMessage().header())));
    }
  }

  private void exitCodes(UsageMessageSpec usage) {
    line(".SH EXIT STATUS");
    for (Map.Entry<String, String> entry : usage.exitCodeList().entrySet()) {
      line(".TP");
      line("\\fB" + entry.getKey() + "\\fR");
      line(escape(expand(entry.getValue())));
    }
  }

  private void environment() {
    line(".SH ENVIRONMENT");
    line("Every option but");
    List<String> excluded = new ArrayList<>(Settings.COMMAND_LINE_ONLY);
    Collections.sort(excluded);
    line(escape(String.join(", ", excluded.stream().map(name -> "--" + name).toList())));
    line("has a twin: \\fBCUZK_\\fR and its long name in capitals, with _ for \\-. Order: option,");
    line("environment, configuration file. Booleans are 1, 0, true, false, yes or no.");
    entry("CUZK_CACHE", "Private cache folder ($XDG_CACHE_HOME/cuzk, ~/.cache/cuzk).");
    entry("CUZK_CONFIG", "Configuration file ($XDG_CONFIG_HOME/cuzk/config).");
    entry("CUZK_PROGRESS_SECONDS", "Seconds between progress lines in a log (30).");
    entry("CUZK_JAVA, CUZK_JAVA_OPTIONS", "The Java to run with, and options for it.");
    entry("NO_COLOR, CLICOLOR_FORCE, TERM=dumb", "Honoured for colour.");
    entry("CUDA_VISIBLE_DEVICES", "Honoured; its entries are opaque.");
    line(".SH FILES");
    entry("$XDG_CONFIG_HOME/cuzk/config", "UTF-8 lines 'option = value'; # starts a comment.");
  }

  private void entry(String name, String meaning) {
    line(".TP");
    line("\\fB" + escape(name) + "\\fR");
    line(escape(meaning));
  }

  private void seeAlso() {
    line(".SH SEE ALSO");
    line(root ? "\\fBcuzk\\-prove\\fR(1), \\fBcuzk\\-verify\\fR(1)" : "\\fBcuzk\\fR(1)");
  }

  private void paragraphs(String[] lines) {
    for (int i = 0; i < lines.length; i++) {
      if (i > 0) {
        line(".PP");
      }
      line(escape(expand(lines[i])));
    }
  }

  /** Texts of picocli hold %n for a line end, %% for a per cent sign, $$ for a dollar sign. */
  private static String expand(String text) {
    return Ansi.OFF.string(text.replace("%n", " ").replace("%%", "%").replace("$$", "$"));
  }

  private static String firstLower(String text) {
    return Character.toLowerCase(text.charAt(0)) + text.substring(1).replaceFirst("\\.$", "");
  }

  private static String escape(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }

  private void line(String content) {
    text.append(content).append('\n');
  }
}
