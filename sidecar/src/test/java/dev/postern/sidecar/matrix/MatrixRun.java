package dev.postern.sidecar.matrix;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the suite on this kernel: {@code MatrixRun FILE [CLASS[#METHOD]...]}.
 *
 * <p>Exit status 0: every behaviour held or does not exist here, each with its reason; 1: one
 * failed.
 */
public final class MatrixRun implements TestExecutionListener {

  private static final String SUITE = "dev.postern.sidecar.relay";

  private final List<Cell> cells = new ArrayList<>();
  private final PrintStream out;
  private TestPlan plan;
  private long startedNs;

  private MatrixRun(PrintStream out) {
    this.out = out;
  }

  @SuppressWarnings("SystemExitOutsideMain") // it is main's
  public static void main(String[] arguments) throws IOException {
    MatrixRun run = new MatrixRun(System.out);
    LauncherFactory.create().execute(request(arguments), run);
    Files.write(Path.of(arguments[0]), run.cells.stream().map(Cell::toLine).toList());
    long failed = run.cells.stream().filter(c -> c.outcome() == Cell.Outcome.FAILED).count();
    run.out.printf("%d cells, %d failed%n", run.cells.size(), failed);
    System.exit(failed == 0 && !run.cells.isEmpty() ? 0 : 1);
  }

  private static LauncherDiscoveryRequest request(String[] arguments) {
    List<DiscoverySelector> selectors = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      selectors.add(
          arguments[i].contains("#")
              ? selectMethod(SUITE + "." + arguments[i])
              : DiscoverySelectors.selectClass(SUITE + "." + arguments[i]));
    }
    if (selectors.isEmpty()) {
      selectors.add(selectPackage(SUITE));
    }
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selectors)
        .filters(TagFilter.includeTags("behaviour"))
        .build();
  }

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    startedNs = System.nanoTime();
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Optional<MethodSource> method =
        test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast);
    if (method.isPresent() && test.isTest()) {
      add(
          new Cell(
              Cell.sentence(method.get().getMethodName()),
              mode(test),
              outcome(result),
              result.getThrowable().map(MatrixRun::message).orElse("")));
    } else if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      // Nothing of a class ran: that must not look like a table without its rows.
      add(new Cell(test.getDisplayName(), mode(test), Cell.Outcome.FAILED, result.toString()));
      result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(out));
    }
  }

  private void add(Cell cell) {
    cells.add(cell);
    long ms = (System.nanoTime() - startedNs) / 1_000_000;
    out.printf(
        "%-6s %s, %s (%d ms) %s%n",
        cell.outcome().name().toLowerCase(java.util.Locale.ROOT),
        cell.mode(),
        cell.behaviour(),
        ms,
        cell.reason());
  }

  /** The class's invocation is named "[1] kernel/io_uring TLSv1.3". */
  private String mode(TestIdentifier test) {
    for (Optional<TestIdentifier> at = Optional.of(test);
        at.isPresent();
        at = plan.getParent(at.get())) {
      for (String word : at.get().getDisplayName().split(" ", -1)) {
        if (word.contains("/")) {
          return word;
        }
      }
    }
    return "-";
  }

  private static Cell.Outcome outcome(TestExecutionResult result) {
    return switch (result.getStatus()) {
      case SUCCESSFUL -> Cell.Outcome.HELD;
      case ABORTED -> Cell.Outcome.ABSENT;
      case FAILED -> Cell.Outcome.FAILED;
    };
  }

  private static String message(Throwable thrown) {
    String text = thrown.getMessage() == null ? thrown.toString() : thrown.getMessage();
    return text.replace("Assumption failed: ", "");
  }
}
