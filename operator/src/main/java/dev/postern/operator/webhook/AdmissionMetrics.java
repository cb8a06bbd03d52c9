package dev.postern.operator.webhook;

import dev.postern.operator.inject.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** postern_admissions_total{webhook,result} and postern_admission_seconds{webhook}. */
final class AdmissionMetrics {

  /** Label values of {@code result}. */
  enum Result {
    INJECTED,
    ALREADY_INJECTED,
    NOT_ASKED,
    REFUSED,
    /** The cluster could not be asked. */
    UNAVAILABLE,
    BAD_REQUEST,
    ERROR
  }

  private final MeterRegistry registry;

  AdmissionMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  void answered(String webhook, Outcome outcome, long durationNs) {
    counted(webhook, result(outcome));
    Timer.builder("postern.admission.seconds")
        .description("Time from a read AdmissionReview to its answer")
        .tag("webhook", webhook)
        .register(registry)
        .record(durationNs, TimeUnit.NANOSECONDS);
  }

  void counted(String webhook, Result result) {
    Counter.builder("postern.admissions")
        .description("Answers to AdmissionReviews")
        .tag("webhook", webhook)
        .tag("result", result.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  private static Result result(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Patched _ -> Result.INJECTED;
      case Outcome.Untouched untouched ->
          switch (untouched.reason()) {
            case ALREADY_INJECTED -> Result.ALREADY_INJECTED;
            case NOT_ASKED -> Result.NOT_ASKED;
          };
      case Outcome.Refused refused -> refused.code() == 503 ? Result.UNAVAILABLE : Result.REFUSED;
    };
  }
}
