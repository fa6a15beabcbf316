package dev.cuzk.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What every command shares: the global options and the session. */
abstract class BaseCommand implements Callable<Integer> {
  @Mixin GlobalOptions global;
  @Spec CommandSpec spec;
  private Session session;

  final void attach(Session owner) {
    session = owner;
  }

  final Session session() {
    return session;
  }

  final Console console() {
    return session.console();
  }

  final ParseResult parseResult() {
    return spec.commandLine().getParseResult();
  }

  /** Whether an option stands on the command line itself. */
  final boolean isGiven(String option) {
    return parseResult().hasMatchedOption(option);
  }

  /** A usage error of this command. */
  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @Override
  public final Integer call() throws Exception {
    return run();
  }

  /** Does the work and returns the exit code. */
  abstract int run() throws Exception;
}
