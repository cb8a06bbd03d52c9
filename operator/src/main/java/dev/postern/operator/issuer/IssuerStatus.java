package dev.postern.operator.issuer;

import dev.postern.crds.Conditions;
import dev.postern.crds.ConditionsStatus;
import dev.postern.operator.status.Events;
import dev.postern.operator.status.Observed;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Writes what an issuer can do into its status, and looks again later. */
final class IssuerStatus {

  /** CAs' Secrets carry no label of ours, so nothing tells of their change. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(60);

  private static final Duration LOOK_AGAIN_SOON = Duration.ofSeconds(10);

  private final Events events;
  private final InstantSource clock;
  private final BooleanSupplier leading;

  IssuerStatus(Events events, InstantSource clock, BooleanSupplier leading) {
    this.events = events;
    this.clock = clock;
    this.leading = leading;
  }

  /**
   * @param issuer as it is now
   * @param empty an object of the same kind, to carry only what is patched
   */
  <T extends CustomResource<?, ConditionsStatus>> UpdateControl<T> update(
      T issuer, T empty, IssuerState state) {
    boolean ready = state instanceof IssuerState.Ready;
    Observed observed = observed(issuer);
    Condition condition =
        observed.condition(Conditions.READY, ready, state.reason(), state.message());
    UpdateControl<T> control = UpdateControl.noUpdate();
    if (leading.getAsBoolean() && !Optional.of(condition).equals(observed.find(Conditions.READY))) {
      tell(issuer, observed, condition, ready);
      control = UpdateControl.patchStatus(withStatus(issuer, empty, condition));
    }
    return control.rescheduleAfter(ready ? LOOK_AGAIN : LOOK_AGAIN_SOON);
  }

  private Observed observed(CustomResource<?, ConditionsStatus> issuer) {
    List<Condition> before =
        issuer.getStatus() == null ? List.of() : issuer.getStatus().conditions();
    return new Observed(before, issuer.getMetadata().getGeneration(), clock.instant());
  }

  private void tell(HasMetadata issuer, Observed observed, Condition condition, boolean ready) {
    if (observed.isNews(condition)) {
      Events.Type type = ready ? Events.Type.Normal : Events.Type.Warning;
      events.record(issuer, type, condition.getReason(), condition.getMessage());
    }
  }

  private static <T extends CustomResource<?, ConditionsStatus>> T withStatus(
      T issuer, T empty, Condition condition) {
    empty.getMetadata().setName(issuer.getMetadata().getName());
    empty.getMetadata().setNamespace(issuer.getMetadata().getNamespace());
    empty.setStatus(new ConditionsStatus(List.of(condition)));
    return empty;
  }
}
