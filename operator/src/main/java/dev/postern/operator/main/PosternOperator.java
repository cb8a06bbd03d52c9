package dev.postern.operator.main;

import dev.postern.operator.webhook.WebhookCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** {@code postern-operator operator|webhook|uninstall}. */
@Command(
    name = "postern-operator",
    description = "The control plane of Postern.",
    mixinStandardHelpOptions = true,
    versionProvider = PosternOperator.Version.class,
    subcommands = {OperatorCommand.class, WebhookCommand.class, UninstallCommand.class})
public final class PosternOperator {

  private PosternOperator() {}

  /** Runs the command that the arguments name; its status becomes the process's. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new PosternOperator());
    CommandLine.Model.CommandSpec top = commandLine.getCommandSpec();
    top.exitCodeOnInvalidInput(OperatorCommand.EX_CONFIG);
    top.subcommands()
        .values()
        .forEach(it -> it.getCommandSpec().exitCodeOnInvalidInput(OperatorCommand.EX_CONFIG));
    return commandLine;
  }

  /** The version in the jar's manifest. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String version = PosternOperator.class.getPackage().getImplementationVersion();
      return new String[] {"postern-operator " + (version == null ? "dev" : version)};
    }
  }
}
